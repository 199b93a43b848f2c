// The palette of units: a formation, what of it waits to be placed, and the roster in groups. A counter is dragged onto the map
// by the pointer, or chosen and placed by clicks or by Space at the cursor.

import { h } from "../../ui/dom.js";
import { drawFace } from "./sprites.js";

const PX = 40, TRAY = 60;

export function palette(tool, build) {
  const { forces, view } = tool, { store } = view, box = build.tool;
  if (!forces.ready) {
    build.hint("The scenario is on its way …");
    return;
  }
  const { formation } = tool;
  if (!store.readonly) {
    if (!formation) build.hint(forces.sides.length ? "Add a formation: in the panel Order of battle." : "Add a side and a formation: in the panel Order of battle.");
    else {
      box.append(choice("Side", forces.sides.map((side) => [side.id, side.name]), formation.side.id, (id) => Object.assign(tool, { side: id, part: "" }), tool));
      box.append(choice("Formation", formation.side.formations.map((part) => [part.id, part.turn ? `${part.name} (${forces.unit} ${part.turn})` : part.name]), formation.part.id, (id) => { tool.part = id; }, tool));
    }
  }
  const tray = h("div.wgs-trays", {});
  tool.repaint = () => tray.replaceChildren(...trays(tool));
  tool.repaint();
  box.append(tray);
  if (!store.readonly && formation) roster(tool, box, formation);
  build.hint(store.readonly ? "Click a counter to read what it is; a stack fans out." : "Drag a counter from here onto the map, or press it and click where it goes. Drag counters on the map to move them (Ctrl copies), R turns, H hides, Delete takes off the map, Enter opens the fields.");
}

function choice(label, options, value, onchoose, tool) {
  return h("label.wgs-field", {}, h("span", {}, label), h("select", { "aria-label": label, "data-forces": label.toLowerCase(), onchange: (ev) => {
    onchoose(ev.target.value);
    tool.view.frame.showOptions();
  } }, ...options.map(([id, text]) => h("option", { value: id, selected: id === value }, text))));
}

/** What of each formation is not on the map: at the start, then by turn of arrival. */
function trays(tool) {
  const { forces } = tool, parts = forces.sides.flatMap((side) => side.formations.map((part) => ({ side, part, units: forces.trays.get(part.id) || [] }))).filter((one) => one.units.length);
  parts.sort((a, b) => a.part.turn - b.part.turn);
  tool.closed ||= new Set();
  return parts.map(({ side, part, units }) => {
    const when = part.turn ? `${forces.unit} ${part.turn}` : "at the start", count = units.reduce((sum, unit) => sum + unit.count, 0);
    const list = h("div.wgs-tray", {}), fill = () => list.firstChild || list.append(...units.slice(0, TRAY).map((unit) => chip(tool, {
      face: forces.faces.get(unit.face), title: `${unit.words}${unit.by ? `, with ${unit.by}` : ""}`, chosen: tool.view.selection.has(unit.id), data: { "data-unit": unit.id },
      press: () => tool.choose([unit.id]), lift: () => tool.lift({ x: 0, y: 0, keyboard: true }, [unit.id]),
    })));
    const open = parts.length < 5 && !tool.closed.has(part.id), toggled = (ev) => {
      tool.closed[ev.target.open ? "delete" : "add"](part.id);
      if (ev.target.open) fill();
    };
    if (open) fill();
    return h("details.wgs-fold", { open, "data-tray": part.id, ontoggle: toggled }, h("summary", {}, h("i.wgs-chip", { style: { background: side.color } }), ` ${part.name}: ${count} to place, ${when}`), list, units.length > TRAY && h("p.wgs-hint", {}, `… and ${units.length - TRAY} more in the order of battle`));
  });
}

function roster(tool, box, { side }) {
  const { forces } = tool, list = h("div.wgs-roster", {});
  const fill = () => {
    const words = tool.filter.toLowerCase();
    list.replaceChildren(...forces.palette.map(({ title, types }) => {
      const found = types.filter(({ name, note, type }) => `${name} ${note} ${type}`.toLowerCase().includes(words));
      if (!found.length) return null;
      const own = [side.id, side.name].some((text) => text.toLowerCase() === title.toLowerCase()), open = words !== "" || own || forces.palette.length < 3 || (tool.opened ||= new Set()).has(title);
      const chips = h("div.wgs-tray", {}), show = () => chips.firstChild || chips.append(...found.map(({ type, name, note }) => kept(tool, side, type, () => ({
        face: forces.face(type, side.id), title: `${name}: ${note}`, name, data: { "data-type": type }, press: () => tool.arm(type), lift: () => tool.liftType(type),
      }))));
      const part = h("details.wgs-fold", { open, "data-roster": title, ontoggle: (ev) => {
        (tool.opened ||= new Set())[ev.target.open ? "add" : "delete"](title);
        if (ev.target.open) show();
      } }, h("summary", {}, `${title} (${found.length})`), chips);
      if (open) show();
      return part;
    }).filter(Boolean));
  };
  const find = h("input", { type: "search", placeholder: "Find a type", "aria-label": "Find a type of unit", value: tool.filter, spellcheck: false, oninput: (ev) => { tool.filter = ev.target.value; fill(); } });
  box.append(h("label.wgs-field", {}, h("span", {}, "Roster"), find), list);
  fill();
}

/** The button of a type, made once for each side: there may be a hundred. */
function kept(tool, side, type, about) {
  const key = `${side.id} ${side.color} ${type}`, chips = (tool.chips ||= new Map());
  if (!chips.has(key)) chips.set(key, chip(tool, about()));
  const found = chips.get(key);
  found.setAttribute("aria-pressed", String(tool.armed === type));
  return found;
}

/** A counter as a button: a press chooses it, a drag takes it onto the map. */
function chip(tool, { face, title, name = "", chosen, data, press, lift }) {
  const dpr = window.devicePixelRatio || 1, canvas = h("canvas", { width: PX * dpr, height: PX * dpr, style: { width: `${PX}px`, height: `${PX}px` }, "aria-hidden": "true" });
  const show = (drawn) => drawn && drawFace(canvas.getContext("2d"), drawn, (PX * dpr) / 2, (PX * dpr) / 2, PX * dpr - 4);
  show(face);
  const button = h("button.wgs-unit", { type: "button", title, "aria-label": title, "aria-pressed": String(!!chosen), ...data }, canvas, name && h("span", {}, name));
  button.show = show; // the pictures of a palette may come after it
  let from = null;
  button.addEventListener("click", (ev) => { if (ev.detail === 0) press(); }); // by keys; the pointer is looked after below
  button.addEventListener("pointerdown", (ev) => {
    if (ev.button !== 0) return;
    from = { x: ev.clientX, y: ev.clientY, lifted: false };
    button.setPointerCapture(ev.pointerId);
  });
  button.addEventListener("pointermove", (ev) => {
    if (!from || tool.view.store.readonly) return;
    if (!from.lifted && Math.hypot(ev.clientX - from.x, ev.clientY - from.y) < 5) return;
    if (!from.lifted) {
      from.lifted = true;
      lift();
    }
    if (!tool.lifted) return;
    if (inside(tool, ev)) tool.carry(tool.view.event(ev));
    else Object.assign(tool.lifted, { outside: true });
    if (tool.lifted.outside) tool.target = "";
    tool.view.stage.redraw(2);
  });
  const end = (ev, cancelled) => {
    const was = from;
    from = null;
    if (!was) return;
    if (!was.lifted) {
      if (!cancelled) press();
      return;
    }
    if (!tool.lifted) return;
    if (cancelled || !inside(tool, ev)) tool.letGo();
    else tool.drop(tool.view.event(ev));
    tool.view.frame.area.focus({ preventScroll: true });
  };
  button.addEventListener("pointerup", (ev) => end(ev, false));
  button.addEventListener("pointercancel", (ev) => end(ev, true));
  return button;
}
function inside(tool, ev) {
  const box = tool.view.frame.area.getBoundingClientRect();
  return ev.clientX >= box.left && ev.clientX <= box.right && ev.clientY >= box.top && ev.clientY <= box.bottom;
}
