// Tools that come in parts of their own, loaded when one is first taken up: who only looks at a map never gets them.

import { exposed } from "virtual:exposed";

const KEY = Symbol.for(`wargame-studio ${BUILD}`), loading = new Map();
globalThis[KEY] = exposed;

/** Stubs: what the bar of tools shows of a tool before its part is there. fits(catalogue, store): whether the game has it. */
export const PARTS = [
  { part: "forces", id: "units", title: "Units", letter: "u", icon: "counter", group: "forces" },
  { part: "forces", id: "setup", title: "Set-up areas and entries", letter: "a", icon: "setup", group: "forces" },
  { part: "forces", id: "objectives", title: "Objectives", letter: "o", icon: "flag", group: "forces" },
  { part: "forces", id: "note", title: "Notes to places", letter: "n", icon: "note", group: "forces" },
  { part: "forces", id: "play", title: "Part in play", letter: "x", icon: "play", group: "forces" },
  { part: "things", id: "name", title: "Place name", letter: "t", icon: "text", group: "things", fits: ({ feature_kinds: kinds }) => kinds.includes("name") },
  { part: "things", id: "marker", title: "Marker", letter: "m", icon: "marker", group: "things", fits: ({ feature_kinds: kinds, marker_types: types }) => kinds.includes("marker") && types.length > 0 },
  { part: "things", id: "place", title: "Place", letter: "n", icon: "place", group: "things", fits: ({ feature_kinds: kinds }) => kinds.includes("place") },
  { part: "things", id: "aperture", title: "Opening", letter: "O", icon: "opening", group: "things", fits: ({ feature_kinds: kinds }) => kinds.includes("aperture") },
  { part: "things", id: "link", title: "Link", letter: "L", icon: "link", group: "things", fits: ({ feature_kinds: kinds }) => kinds.includes("link") },
  { part: "things", id: "dot", title: "Dot of a hex", letter: "D", icon: "dot", group: "things", fits: ({ feature_kinds: kinds }) => kinds.includes("dot") },
  { part: "things", id: "eraser", title: "Eraser", letter: "e", icon: "eraser", group: "things" },
  { part: "ways", id: "ways", title: "Movement: reach and route", letter: "j", icon: "ways", group: "look", fits: ({ movement }) => movement },
  { part: "ways", id: "supply", title: "Supply and command", letter: "q", icon: "supply", group: "look", fits: ({ supply }) => supply },
  { part: "ground", id: "fill", title: "Fill an area", letter: "g", icon: "fill", group: "terrain" },
  { part: "ground", id: "rectangle", title: "Rectangle", letter: "r", icon: "rectangle", group: "terrain" },
  { part: "ground", id: "lasso", title: "Lasso", letter: "o", icon: "lasso", group: "terrain" },
  { part: "ground", id: "line", title: "Line of hexes", letter: "l", icon: "line", group: "terrain" },
  { part: "ground", id: "pick", title: "Pick terrain and level", letter: "i", icon: "pick", group: "terrain" },
  { part: "ground", id: "replace", title: "Replace a terrain", letter: "y", icon: "replace", group: "terrain" },
  { part: "ground", id: "level", title: "Levels", letter: "u", icon: "level", group: "terrain", fits: ({ levels }) => levels[0] < levels[1] },
  { part: "ground", id: "region", title: "Region: copy, move, turn", letter: "d", icon: "region", group: "terrain" },
  { part: "ground", id: "side", title: "Hexsides", letter: "w", icon: "side", group: "lines", fits: ({ side_kinds: kinds }) => kinds.length > 0 },
  { part: "backdrop", id: "backdrop", title: "Backdrop: control points of the scan", letter: "B", icon: "scan", group: "things" },
  { part: "shapes", id: "select", title: "Choose and change", letter: "v", icon: "arrow", group: "lines" },
  { part: "shapes", id: "area", title: "Area", letter: "a", icon: "area", group: "lines", fits: ({ area_types: types }) => types?.length > 0 },
  { part: "shapes", id: "wall", title: "Wall", letter: "W", icon: "wall", group: "lines", fits: ({ wall_types: types }) => types?.length > 0 },
  { part: "shapes", id: "contour", title: "Contour", letter: "c", icon: "contour", group: "lines", fits: ({ feature_kinds: kinds }) => kinds.includes("contour") },
  { part: "shapes", id: "drawn-road", title: "Road by hand", letter: "P", icon: "track", group: "lines", fits: ({ feature_kinds: kinds }) => kinds.includes("road") },
  { part: "shapes", id: "split", title: "Split an area", letter: "x", icon: "split", group: "lines", fits: ({ area_types: types }) => types?.length > 0 },
  { part: "shapes", id: "merge", title: "Merge", letter: "M", icon: "merge", group: "lines", fits: ({ area_types: types, wall_types: walls, feature_kinds: kinds }) => types?.length > 0 || walls?.length > 0 || kinds.includes("contour") },
];

/** The module of a part; asked of Python once. */
export function loadPart(store, name) {
  if (!loading.has(name)) {
    const part = new Promise((resolve, reject) => {
      // Without a kernel it never comes, and who waits for it must hear of that.
      const gone = () => reject(new Error("the kernel is gone"));
      if (store.dead) return gone();
      const ends = store.on("dead", gone), stop = store.on("part", ({ message, buffers }) => {
        if (message.name !== name) return;
        stop();
        ends();
        const url = URL.createObjectURL(new Blob([buffers[0]], { type: "text/javascript" }));
        import(url).then(resolve, reject).finally(() => URL.revokeObjectURL(url));
      });
      store.link.post({ type: "part", client: store.client, name });
    });
    loading.set(name, part);
    part.catch(() => loading.delete(name));
  }
  return loading.get(name);
}
