// The list of keys: what every map answers to, and what each tool says of itself.

import { h, iconButton } from "../../ui/dom.js";
import { keyName } from "../../keys.js";

const MAP = [
  ["Arrows", "move the hex cursor (Alt: move the map)"],
  [".", "next location at the cursor: room, roof, box, road"],
  ["Space", "use the tool at the cursor: paint, set A, begin and end a rectangle"],
  ["Enter", "finish a road or a name; sight: set end A, then end B"],
  ["Esc", "close a window; cancel what is being drawn"],
  ["Delete", "remove what is under the cursor"],
  ["1 – 7", "size of the brush"],
  ["[ ]", "previous, next terrain"],
  ["Ctrl+Z", "undo"],
  ["Ctrl+Shift+Z, Ctrl+Y", "redo"],
  ["Ctrl+S", "save"],
  ["Ctrl+F or /", "find a hex, a place or a name: arrows choose, Enter goes there"],
  ["+ −", "zoom, about the hex cursor when it shows"],
  ["Home", "show the whole map"],
  ["F", "full screen"],
  ["\\", "side panel"],
  ["Tab", "from the map to the panel and back"],
  ["?", "this list"],
];
const POINTER = [
  ["Wheel", "zoom, once the map has the focus"],
  ["Right, middle button", "move the map with any tool"],
  ["Two fingers", "move and zoom the map"],
  ["Double click", "finish a line"],
];
const SIGHT = [["X", "swap the ends"], ["V", "field of view from A"]];

/** Show the list; tools that come in parts of their own tell their keys once these are there. */
export function helpWindow(frame) {
  const { view } = frame, columns = h("div.wgs-columns", { tabIndex: 0, "aria-label": "List of keys" }), close = iconButton("close", "Close (Esc)", () => frame.closePopups());
  const rows = (title, list) => [h("h4", {}, title), ...list.map(([key, text]) => h("div.wgs-key", {}, h("kbd", {}, key), h("span", {}, text)))];
  const fill = () => {
    const { all } = view.tools, own = all.map((tool) => [tool.title, tool.keys || (tool.id === "sight" ? SIGHT : null)]).filter(([, keys]) => keys);
    columns.replaceChildren(h("div", {}, ...rows("Tools", all.map((tool) => [keyName(tool), tool.title]))),
      h("div", {}, ...rows("Map", view.store.readonly ? MAP.filter(([, text]) => !/undo|redo|save|brush|terrain|remove/.test(text)) : MAP), ...rows("Pointer", POINTER), ...own.flatMap(([title, keys]) => rows(title, keys))));
  };
  fill();
  frame.open(h("div.wgs-dialog.wgs-help", { role: "dialog", "aria-modal": "true", "aria-label": "Keys" }, h("div.wgs-line", {}, h("b", {}, "Keys"), h("span"), close), columns));
  frame.helping = true;
  close.focus({ preventScroll: true });
  const parts = new Set(view.tools.all.filter((tool) => tool.stub).map((stub) => stub.part));
  if (parts.size && !view.store.dead) Promise.allSettled([...parts].map((part) => view.tools.load(part))).then(() => columns.isConnected && fill());
}
