// What the keys do while the map has the focus. The list that `?` shows is in parts/windows/help.js; each tool lists its own `keys`.

const ARROWS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

/** How the key of a tool is written: a capital letter is one with Shift. */
export function keyName({ letter }) { return letter === letter.toLowerCase() ? letter.toUpperCase() : `Shift+${letter}`; }

export function handleKey(view, ev) {
  const typing = /^(INPUT|TEXTAREA|SELECT)$/.test(ev.target.tagName) && ev.target.type !== "checkbox" && ev.target.type !== "radio";
  const ctrl = ev.ctrlKey || ev.metaKey, onMap = ev.target === view.frame.area || ev.target === view.host;
  ev.stopPropagation(); // the notebook has keys of its own
  if (view.frame.dialogKey(ev)) return;
  if (typing && !(ctrl && ev.key.toLowerCase() === "s")) return;
  // A tool that is still on its way gets the keys when it is there.
  if (view.tool.stub && onMap && ev.key !== "Tab") (view.tool.typed ||= []).push(ev);
  else if (!(ctrl ? controlKey(view, ev) : onMap || !/^(Enter| |Tab|Arrow.*)$/.test(ev.key) ? plainKey(view, ev) : false)) return;
  ev.preventDefault();
}

function controlKey(view, ev) {
  if (view.tool.control?.(ev, ...(ARROWS[ev.key] || []))) return true;
  switch (ev.key.toLowerCase()) {
    case "z":
      if (ev.shiftKey) view.store.redo();
      else view.undo();
      return true;
    case "y": view.store.redo(); return true;
    case "s": view.save(); return true;
    case "f": view.frame.focusFind(); return true;
    default: return false;
  }
}

function plainKey(view, ev) {
  const { key } = ev;
  if (key in ARROWS) {
    const [dx, dy] = ARROWS[key];
    if (view.tool.arrows?.(dx, dy, ev)) return true;
    if (ev.altKey) view.pan(-dx * 80 * view.dpr, -dy * 80 * view.dpr);
    else if (ev.shiftKey && view.tool.turns) view.turnSide(dx + dy);
    else if (ev.shiftKey && view.tool.nudge) view.tool.nudge(dx, dy);
    else view.moveCursor(dx, dy);
    return true;
  }
  if (view.tool.key?.(ev)) return true;
  if (/^[1-7]$/.test(key)) { view.set("brush", Number(key)); return true; }
  switch (key) {
    case " ": view.press(ev); return true;
    case "Enter": view.withCursor((e) => (view.picking ? view.picked(e) : view.tool.finish?.(e))); return true;
    case "Escape": view.cancel(); return true;
    case "Delete": case "Backspace": view.withCursor((e) => view.remove(e)); return true;
    case "+": case "=": view.zoomByKey(1.35); return true;
    case "-": case "_": view.zoomByKey(1 / 1.35); return true;
    case "Home": view.fit(); return true;
    case ".": view.cycle(); return true;
    case "?": view.frame.toggleHelp(); return true;
    case "/": view.frame.focusFind(); return true;
    case "\\": view.frame.choosePanel(); return true;
    case "[": view.stepTerrain(-1); return true;
    case "]": view.stepTerrain(1); return true;
  }
  if (key === "f" && !ev.altKey) { view.frame.fullScreen(); return true; }
  const tool = !ev.altKey && view.tools.byKey(ev.shiftKey ? key.toUpperCase() : key.toLowerCase());
  if (tool) { view.select(tool.id); return true; }
  return false;
}
