// Reader of bundles: one file, no dependency, for Node.js and browsers. Copy it into an engine; the format is in
// bundle-format.md.
//
//     import { readBundle } from "./reader.mjs";
//     const bundle = readBundle(bytes);                      // a Uint8Array or an ArrayBuffer
//     bundle.locations[0].label; bundle.sight("A1", "C5");
//
// A bundle may come from anywhere. Everything is measured before it is read, nothing is run, and what is not exactly a
// bundle is refused with a BundleError that says why, and whose `code` is a word for programs. `node reader.mjs FILE`
// prints a summary. reader.py is the same in Python, check for check.

export const FORMAT = "wargame-studio/bundle";
export const VERSION = 1;
export const MINOR = 0;

export const REQUIRED = ["map.json", "ruleset.json", "locations.json", "sides.json"];
export const OPTIONAL = ["scenario.json", "roster.json", "setup.json", "steps.json", "sight.bin", "preview.png"];
const WITH_SCENARIO = ["roster.json", "setup.json"];
const KNOWN = ["bundle.json", ...REQUIRED, ...OPTIONAL];
// Names that members of later minor versions can have.
const LATER = /^[a-z][a-z0-9_-]{0,40}\.(?:json|bin|png)$/;

const MIB = 1024 * 1024;
export const LIMITS = {
  "bundle.json": MIB, "ruleset.json": 4 * MIB, "roster.json": 4 * MIB, "scenario.json": 8 * MIB,
  "map.json": 16 * MIB, "setup.json": 16 * MIB, "preview.png": 32 * MIB,
};
// Largest bundle, and largest sum of its members, in bytes.
export const MAX_FILE = 256 * MIB;
export const MAX_MEMBER = 128 * MIB;
// Most entries of the archive; more than can be right, so that a wrong one is named.
export const MAX_MEMBERS = 32;
// A member above the second size that is packed tighter than the first says is a bomb.
export const RATIO = 50, RATIO_FROM = 4 * MIB;
// What the bytes , : [ { " of JSON weigh: in proportion to the memory that a reader needs for them.
const WEIGHTS = new Uint8Array(256);
for (const [byte, weight] of [[44, 2], [58, 5], [91, 3], [123, 7], [34, 1]]) WEIGHTS[byte] = weight;
// Most weight of a JSON member; the second holds for those of LONG that are stored, whose file is as large.
export const MAX_WEIGHT = 2_500_000, MAX_WEIGHT_STORED = 40_000_000;
const LONG = ["locations.json", "sides.json", "steps.json"];
export const MAX_DEPTH = 32;

const SIGHT_MAGIC = "WGSIGHT1";
export const STATUSES = ["clear", "hindered", "blocked", "none"];

export class BundleError extends Error {
  /** A file that is not a sound bundle; `code` is the kind of fault in one word, as listed in bundle-format.md. */
  constructor(code, message) {
    super(message);
    this.name = "BundleError";
    this.code = code;
  }
}

function expect(condition, code, message) {
  if (!condition) throw new BundleError(code, message);
}

/** A bundle that was read and found sound. */
export class Bundle {
  #table;
  #steps;
  #index = new Map();

  constructor(manifest, parts) {
    this.manifest = manifest; // bundle.json: format, version, generator, ruleset, title, sources, members
    this.map = parts["map.json"];
    this.scenario = parts["scenario.json"] ?? null;
    this.setup = parts["setup.json"] ?? null; // the scenario with every condition resolved
    this.roster = parts["roster.json"];
    this.ruleset = parts["ruleset.json"];
    this.locations = parts["locations.json"];
    this.sides = parts["sides.json"];
    this.preview = parts["preview.png"] ?? null; // Uint8Array, PNG
    this.#table = parts["sight.bin"] ?? null;
    this.#steps = parts["steps.json"] ?? null;
    this.locations.forEach((location, number) => this.#index.set(location.label, number));
  }

  get title() {
    return this.manifest.title;
  }

  get hasSight() {
    return this.#table !== null;
  }

  #number(label) {
    const number = this.#index.get(label);
    if (number === undefined) throw new RangeError(`no location ${JSON.stringify(label)}`);
    return number;
  }

  /** Return one location; a RangeError when the map has none of that label. */
  location(label) {
    return this.locations[this.#number(label)];
  }

  /** Return the verdict of the sight line from one location to another: clear, hindered, blocked or none. */
  sight(a, b) {
    expect(this.#table !== null, "no-sight",
      "the bundle holds no sight table (sight.bin): the map was too large, or the game has no sight");
    const pair = this.#number(a) * this.locations.length + this.#number(b);
    return STATUSES[(this.#table[12 + Math.floor(pair / 4)] >> (2 * (pair % 4))) & 3];
  }

  get hasSteps() {
    return this.#steps !== null;
  }

  /** Return where a mover can go from a location in one step: [label, half points] of each. */
  steps(label, mover) {
    expect(this.#steps !== null, "no-steps",
      "the bundle does not say what steps cost (steps.json): the game has no movement");
    if (!Object.hasOwn(this.#steps, mover)) throw new RangeError(`no mover ${JSON.stringify(mover)}`);
    const row = this.#steps[mover][this.#number(label)], found = [];
    for (let i = 0; i < row.length; i += 2) found.push([this.locations[row[i]].label, row[i + 1]]);
    return found;
  }
}

/** Read a bundle and verify all of it; a BundleError when it is not a sound one. */
export function readBundle(source) {
  const bytes = source instanceof Uint8Array ? source : new Uint8Array(source);
  const entries = directory(bytes);
  const manifest = checkManifest(json("bundle.json", member(bytes, entries.get("bundle.json"))));
  const parts = {};
  for (const said of listed(manifest, entries)) {
    const entry = entries.get(said.name);
    const data = member(bytes, entry);
    checkContent(said.name, data, said);
    if (KNOWN.includes(said.name)) {
      parts[said.name] = said.name.endsWith(".json") ? json(said.name, data, entry.method === 0) : data.slice();
    }
  }
  checkMeaning(manifest, parts);
  return new Bundle(...upgraded(manifest, parts));
}

// -- the archive -----------------------------------------------------------------------------------------------------

/** Read the directory of the archive and check every member by it; nothing has been unpacked yet. */
function directory(bytes) {
  const size = bytes.length;
  expect(size <= MAX_FILE, "too-large", `the file has ${size} bytes, allowed ${MAX_FILE}`);
  expect(size >= 22, "not-zip", `not a bundle: the file has ${size} bytes only`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, size);
  const short = (at) => view.getUint16(at, true), long = (at) => view.getUint32(at, true);
  const end = size - 22, total = short(end + 10), length = long(end + 12), offset = long(end + 16);
  expect(long(end) === 0x06054b50 && short(end + 20) === 0, "not-zip",
    "not a bundle, or cut off: no end of a ZIP archive in the last 22 bytes");
  expect(!short(end + 4) && !short(end + 6) && short(end + 8) === total, "split",
    "the archive is split over several files");
  expect(total <= MAX_MEMBERS && length <= 65536, "too-many",
    `the archive has ${total} members in a directory of ${length} bytes, allowed ${MAX_MEMBERS} in 65536`);
  expect(offset + length === end, "layout", "the archive has data before, between or after its parts");
  const found = new Map();
  let at = offset;
  for (let number = 0; number < total; number++) {
    const damaged = `the archive is damaged: its directory does not hold member ${number}`;
    expect(at + 46 <= end, "damaged", damaged);
    const names = short(at + 28), next = at + 46 + names + short(at + 30) + short(at + 32);
    expect(long(at) === 0x02014b50 && next <= end, "damaged", damaged);
    const name = latin(bytes.subarray(at + 46, at + 46 + names));
    checkEntry(name, found, short(at + 8), short(at + 10), long(at + 38) >>> 16);
    expect(short(at + 34) === 0, "split", `member ${JSON.stringify(name)} lies in another file of a split archive`);
    found.set(name, {
      name, flags: short(at + 8), method: short(at + 10), crc: long(at + 16), packed: long(at + 20),
      size: long(at + 24), offset: long(at + 42), end: 0,
    });
    at = next;
  }
  expect(at === end, "damaged", "the archive is damaged: its directory has data that is no member");
  for (const name of ["bundle.json", ...REQUIRED]) expect(found.has(name), "missing", `member "${name}" is missing`);
  measure(found, offset);
  return found;
}

function latin(bytes) {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
}

function checkEntry(name, found, flags, method, mode) {
  const shown = JSON.stringify(name);
  const outside = /^[/\\]/.test(name) || name.split(/[/\\]/).includes("..") || /[:\0]/.test(name);
  expect(!outside, "path", `member ${shown}: the name leads out of the bundle`);
  expect(!found.has(name), "twice", `member ${shown} is there twice`);
  const plain = [0, 0o100000].includes(mode & 0o170000) && !name.endsWith("/");
  expect(plain, "not-a-file", `member ${shown} is a link, a folder or a device, allowed plain files`);
  expect(LATER.test(name), "unknown-member", `member ${shown} does not belong into a bundle; allowed: ${KNOWN}`);
  expect(!(flags & 0x2041), "encrypted", `member ${shown} is encrypted`);
  expect(method === 0 || method === 8, "method",
    `member ${shown} is packed with method ${method}, allowed 0 (stored) and 8 (deflated)`);
}

/** Check sizes and places of all members, and note where the next one begins. */
function measure(found, directoryAt) {
  const ordered = [...found.values()].sort((a, b) => a.offset - b.offset);
  expect(ordered[0].offset === 0, "layout", "the archive has data before, between or after its parts");
  let total = 0;
  ordered.forEach((entry, number) => {
    entry.end = number + 1 < ordered.length ? ordered[number + 1].offset : directoryAt;
    total += entry.size;
    const limit = LIMITS[entry.name] ?? MAX_MEMBER;
    expect(entry.size <= limit && total <= MAX_FILE, "too-large",
      `member "${entry.name}" has ${entry.size} bytes, allowed ${limit}, and ${MAX_FILE} for all`);
    expect(entry.method || entry.packed === entry.size, "damaged",
      `the archive is damaged: member "${entry.name}" is stored, but has two sizes`);
    expect(entry.size <= RATIO_FROM || entry.size <= RATIO * entry.packed, "bomb",
      `member "${entry.name}" unpacks to over ${RATIO} times its size`);
    expect(entry.offset + 30 + entry.name.length + entry.packed <= entry.end, "overlap",
      `member "${entry.name}" overlaps another part of the archive`);
  });
}

/** Unpack one member, never more of it than the directory declares. */
function member(bytes, entry) {
  const { name } = entry, damaged = `the archive is damaged at member "${name}"`;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length), at = entry.offset;
  const short = (by) => view.getUint16(at + by, true), long = (by) => view.getUint32(at + by, true);
  const flags = short(6), names = short(26), begin = at + 30 + names + short(28);
  const same = long(0) === 0x04034b50 && latin(bytes.subarray(at + 30, at + 30 + names)) === name;
  expect(same, "damaged", `${damaged}: another name`);
  let alike = flags === entry.flags && short(8) === entry.method;
  if (!(flags & 8)) { // else sizes follow the content
    alike &&= long(14) === entry.crc && long(18) === entry.packed && long(22) === entry.size;
  }
  expect(alike, "damaged", `${damaged}: its two headers differ`);
  const rest = entry.end - (begin + entry.packed);
  expect(rest >= 0, "overlap", `member "${name}" overlaps another part of the archive`);
  expect(rest === 0 || (flags & 8 && (rest === 12 || rest === 16)), "layout",
    "the archive has data before, between or after its parts");
  const packed = bytes.subarray(begin, begin + entry.packed);
  const data = entry.method ? inflate(packed, entry.size, damaged) : packed;
  expect(crc32(data) === entry.crc, "damaged", `${damaged}: its CRC differs`);
  return data;
}

const CRC = new Uint32Array(256).map((_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

function crc32(data) {
  let value = 0xffffffff;
  for (let i = 0; i < data.length; i++) value = (value >>> 8) ^ CRC[(value ^ data[i]) & 255];
  return (value ^ 0xffffffff) >>> 0;
}

// -- inflating (RFC 1951) --------------------------------------------------------------------------------------------

const ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
const LENGTHS = [], DISTANCES = []; // [base, extra bits] by symbol
for (let symbol = 0, base = 3; symbol < 28; symbol++) {
  const extra = symbol < 8 ? 0 : (symbol >> 2) - 1;
  LENGTHS.push([base, extra]);
  base += 1 << extra;
}
LENGTHS.push([258, 0]);
for (let symbol = 0, base = 1; symbol < 30; symbol++) {
  const extra = symbol < 4 ? 0 : (symbol >> 1) - 1;
  DISTANCES.push([base, extra]);
  base += 1 << extra;
}

/** A table of a canonical code: how many codes there are of each length, and their symbols in order. */
function codes(lengths, fail) {
  const counts = new Uint16Array(16);
  for (const length of lengths) counts[length]++;
  const used = lengths.length - counts[0];
  counts[0] = 0;
  let left = 1;
  for (let length = 1; length < 16; length++) {
    left = left * 2 - counts[length];
    if (left < 0) fail("a code is too full");
  }
  // A code of one symbol may leave half of it unused, and one of none all.
  if (left > 0 && used > 0 && !(used === 1 && counts[1] === 1)) fail("a code has gaps");
  const starts = new Uint16Array(17), symbols = new Uint16Array(used);
  for (let length = 1; length < 16; length++) starts[length + 1] = starts[length] + counts[length];
  lengths.forEach((length, symbol) => {
    if (length) symbols[starts[length]++] = symbol;
  });
  return { counts, symbols, whole: left === 0 };
}

const FIXED = [
  codes([...Array(288).keys()].map((n) => (n < 144 ? 8 : n < 256 ? 9 : n < 280 ? 7 : 8)), () => {}),
  codes(Array(32).fill(5), () => {}),
];

/** Unpack a deflated member of a known size, which its stream must fill exactly. */
function inflate(packed, size, damaged) {
  const fail = (why) => {
    throw new BundleError("damaged", `${damaged}: ${why}`);
  };
  const out = new Uint8Array(size);
  let at = 0, held = 0, count = 0, filled = 0;

  function bits(need) {
    while (count < need) {
      if (at >= packed.length) fail("it is cut off");
      held |= packed[at++] << count;
      count += 8;
    }
    const value = held & ((1 << need) - 1);
    held >>>= need;
    count -= need;
    return value;
  }

  function symbol({ counts, symbols }) {
    let code = 0, first = 0, index = 0;
    for (let length = 1; length < 16; length++) {
      if (count === 0) {
        if (at >= packed.length) fail("it is cut off");
        held = packed[at++];
        count = 8;
      }
      code |= held & 1;
      held >>>= 1;
      count--;
      const here = counts[length];
      if (code - first < here) return symbols[index + code - first];
      index += here;
      first = (first + here) << 1;
      code <<= 1;
    }
    return fail("it holds a code that there is not");
  }

  function stored() {
    held = count = 0;
    if (at + 4 > packed.length) fail("it is cut off");
    const length = packed[at] | (packed[at + 1] << 8), check = packed[at + 2] | (packed[at + 3] << 8);
    if (length !== (~check & 0xffff)) fail("a stored block has two lengths");
    at += 4;
    if (at + length > packed.length) fail("it is cut off");
    if (filled + length > size) fail(`it unpacks to another size than ${size} bytes`);
    out.set(packed.subarray(at, at + length), filled);
    at += length;
    filled += length;
  }

  function tables() {
    const literals = bits(5) + 257, distances = bits(5) + 1, many = bits(4) + 4;
    if (literals > 286 || distances > 30) fail("a code has too many symbols");
    const short = Array(19).fill(0);
    for (let i = 0; i < many; i++) short[ORDER[i]] = bits(3);
    const code = codes(short, fail);
    if (!code.whole) fail("a code has gaps");
    const lengths = [];
    while (lengths.length < literals + distances) {
      const next = symbol(code);
      if (next < 16) {
        lengths.push(next);
        continue;
      }
      if (next === 16 && !lengths.length) fail("a length is repeated before there is one");
      const value = next === 16 ? lengths[lengths.length - 1] : 0;
      const times = next === 16 ? 3 + bits(2) : next === 17 ? 3 + bits(3) : 11 + bits(7);
      if (lengths.length + times > literals + distances) fail("a length is repeated too often");
      for (let i = 0; i < times; i++) lengths.push(value);
    }
    if (!lengths[256]) fail("a code has no end");
    return [codes(lengths.slice(0, literals), fail), codes(lengths.slice(literals), fail)];
  }

  function block([literals, distances]) {
    for (;;) {
      const next = symbol(literals);
      if (next === 256) return;
      if (next < 256) {
        if (filled >= size) fail(`it unpacks to another size than ${size} bytes`);
        out[filled++] = next;
        continue;
      }
      if (next > 285) fail("it holds a length that there is not");
      const length = LENGTHS[next - 257][0] + bits(LENGTHS[next - 257][1]);
      const far = symbol(distances);
      if (far > 29) fail("it holds a distance that there is not");
      const distance = DISTANCES[far][0] + bits(DISTANCES[far][1]);
      if (distance > filled) fail("it goes back too far");
      if (filled + length > size) fail(`it unpacks to another size than ${size} bytes`);
      for (let i = 0; i < length; i++, filled++) out[filled] = out[filled - distance];
    }
  }

  for (let last = 0; !last;) {
    last = bits(1);
    const kind = bits(2);
    if (kind === 0) stored();
    else if (kind === 1) block(FIXED);
    else if (kind === 2) block(tables());
    else fail("it has a block of no kind");
  }
  if (filled !== size) fail(`it unpacks to another size than ${size} bytes`);
  if (at !== packed.length) fail("it is not packed as it should be");
  return out;
}

// -- SHA-256 (FIPS 180-4) --------------------------------------------------------------------------------------------

const [ROUNDS, STATE] = (() => {
  // The fractions of the cube and square roots of the first primes, as the standard makes its constants of them.
  const primes = [];
  for (let n = 2; primes.length < 64; n++) if (primes.every((prime) => n % prime)) primes.push(n);
  const root = (n, power) => { // of n times 2 to the 32 times power, without its whole part
    const wanted = BigInt(n) << BigInt(32 * power);
    let low = 0n, high = 1n << 36n;
    while (high - low > 1n) {
      const middle = (low + high) >> 1n;
      if (middle ** BigInt(power) <= wanted) low = middle;
      else high = middle;
    }
    return Number(low & 0xffffffffn);
  };
  return [Int32Array.from(primes, (n) => root(n, 3)), Int32Array.from(primes.slice(0, 8), (n) => root(n, 2))];
})();

function sha256(data) {
  const state = Int32Array.from(STATE), words = new Int32Array(64);
  const tail = new Uint8Array(data.length % 64 < 56 ? 64 : 128), whole = data.length - (data.length % 64);
  tail.set(data.subarray(whole));
  tail[data.length % 64] = 0x80;
  const view = new DataView(tail.buffer);
  view.setUint32(tail.length - 8, Math.floor(data.length / 0x20000000));
  view.setUint32(tail.length - 4, (data.length * 8) >>> 0);
  for (const [part, length] of [[data, whole], [tail, tail.length]]) {
    for (let at = 0; at < length; at += 64) {
      for (let i = 0, j = at; i < 16; i++, j += 4) {
        words[i] = (part[j] << 24) | (part[j + 1] << 16) | (part[j + 2] << 8) | part[j + 3];
      }
      for (let i = 16; i < 64; i++) {
        const x = words[i - 15], y = words[i - 2];
        const low = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
        const high = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
        words[i] = (words[i - 16] + low + words[i - 7] + high) | 0;
      }
      let a = state[0], b = state[1], c = state[2], d = state[3];
      let e = state[4], f = state[5], g = state[6], h = state[7];
      for (let i = 0; i < 64; i++) {
        const up = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
        const one = (h + up + ((e & f) ^ (~e & g)) + ROUNDS[i] + words[i]) | 0;
        const down = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
        const two = (down + ((a & b) ^ (a & c) ^ (b & c))) | 0;
        h = g; g = f; f = e; e = (d + one) | 0; d = c; c = b; b = a; a = (one + two) | 0;
      }
      state[0] += a; state[1] += b; state[2] += c; state[3] += d;
      state[4] += e; state[5] += f; state[6] += g; state[7] += h;
    }
  }
  return Array.from(state, (word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
}

// -- JSON ------------------------------------------------------------------------------------------------------------

const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?/y;
const PLAIN = /[^"\\\u0000-\u001f]*/y;
const ESCAPES = { '"': '"', "\\": "\\", "/": "/", b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };
const HALF = /[\ud800-\udfff]/u; // half of a surrogate pair alone

/** Read JSON strictly: no key twice, no NaN, no number too large, no endless nesting, sound Unicode. */
function json(name, data, stored = false) {
  let weight = 0;
  for (let i = 0; i < data.length; i++) weight += WEIGHTS[data[i]];
  const lists = stored && LONG.includes(name);
  const most = lists ? MAX_WEIGHT_STORED : MAX_WEIGHT;
  expect(weight <= most, "too-many-values", `${name}: holds more values than are read (weight ${weight} over ${most})`);
  let text;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(data);
  } catch {
    throw new BundleError("not-utf8", `${name}: not sound UTF-8`);
  }
  let at = 0;
  const fail = () => {
    throw new BundleError("not-json", `${name}: not JSON at character ${at}`);
  };

  function space() {
    for (;;) {
      const code = text.charCodeAt(at);
      if (code !== 32 && code !== 10 && code !== 13 && code !== 9) return;
      at++;
    }
  }

  function string() {
    let made = "", escaped = false;
    for (at++;;) {
      PLAIN.lastIndex = at;
      PLAIN.test(text); // always true, and now lastIndex is behind the plain characters
      if (PLAIN.lastIndex > at) made += text.slice(at, PLAIN.lastIndex);
      at = PLAIN.lastIndex;
      const mark = text[at++];
      if (mark === '"') break;
      if (mark !== "\\") fail();
      const next = text[at++];
      if (next === "u") {
        const digits = text.slice(at, at + 4);
        if (!/^[0-9a-fA-F]{4}$/.test(digits)) fail();
        made += String.fromCharCode(parseInt(digits, 16));
        escaped = true;
        at += 4;
      } else {
        if (!Object.hasOwn(ESCAPES, next ?? "")) fail();
        made += ESCAPES[next];
      }
    }
    expect(!escaped || !HALF.test(made), "not-utf8", `${name}: not sound UTF-8: half of a character`);
    return made;
  }

  function number() {
    NUMBER.lastIndex = at;
    if (!NUMBER.test(text)) {
      const word = ["NaN", "Infinity", "-Infinity"].find((one) => text.startsWith(one, at));
      expect(!word, "number", `${name}: ${word} is no number of JSON`);
      fail();
    }
    const found = text.slice(at, NUMBER.lastIndex), value = Number(found);
    at = NUMBER.lastIndex;
    if (Number.isInteger(value) && !/[.eE]/.test(found) ? !Number.isSafeInteger(value) : !Number.isFinite(value)) {
      throw new BundleError("number", `${name}: the number ${found.slice(0, 40)} is too large`);
    }
    return value;
  }

  function object(depth) {
    const made = {};
    let twice;
    at++;
    space();
    if (text[at] === "}") at++;
    else {
      for (;;) {
        if (text[at] !== '"') fail();
        const key = string();
        space();
        if (text[at++] !== ":") fail();
        space();
        const one = value(depth + 1);
        if (Object.hasOwn(made, key)) twice ??= key;
        if (key === "__proto__") {
          Object.defineProperty(made, key, { value: one, enumerable: true, configurable: true, writable: true });
        } else made[key] = one;
        space();
        const mark = text[at++];
        if (mark === "}") break;
        if (mark !== ",") fail();
        space();
      }
    }
    expect(twice === undefined, "key-twice", `${name}: the key ${JSON.stringify(twice)} is there twice in one object`);
    return made;
  }

  function list(depth) {
    const made = [];
    at++;
    space();
    if (text[at] === "]") {
      at++;
      return made;
    }
    for (;;) {
      made.push(value(depth + 1));
      space();
      const mark = text[at++];
      if (mark === "]") return made;
      if (mark !== ",") fail();
      space();
    }
  }

  function word(length, meant) {
    at += length;
    return meant;
  }

  function value(depth) {
    const mark = text[at];
    if (mark === "{" || mark === "[") {
      expect(depth < MAX_DEPTH, "deep", `${name}: nested deeper than ${MAX_DEPTH}`);
      return mark === "{" ? object(depth) : list(depth);
    }
    if (mark === '"') return string();
    if (mark === "t" && text.startsWith("true", at)) return word(4, true);
    if (mark === "f" && text.startsWith("false", at)) return word(5, false);
    if (mark === "n" && text.startsWith("null", at)) return word(4, null);
    return number();
  }

  space();
  const found = value(0);
  space();
  if (at < text.length) fail();
  return found;
}

// -- the manifest ----------------------------------------------------------------------------------------------------

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const isText = (value) => typeof value === "string";
const isWhole = (value, least = -Infinity) => typeof value === "number" && Number.isInteger(value) && value >= least;
const textsOf = (value, keys) => isObject(value) && keys.every((key) => !(key in value) || isText(value[key]));

function checkManifest(manifest) {
  expect(isObject(manifest), "manifest", "bundle.json: got no object");
  const { format, version } = manifest, minor = "minor" in manifest ? manifest.minor : 0;
  expect(format === FORMAT, "format", `bundle.json: got the format ${shown(format)}, allowed "${FORMAT}"`);
  expect(isWhole(version, 1), "version", `bundle.json: got the version ${shown(version)}, allowed 1 to ${VERSION}`);
  expect(version <= VERSION, "version",
    `bundle.json: version ${version} is newer than this reader, which knows up to ${VERSION}: get a newer reader`);
  expect(isWhole(minor, 0), "version", `bundle.json: got the minor version ${shown(minor)}, allowed a whole number`);
  for (const key of ["title", "ruleset"]) {
    expect(isText(manifest[key]), "manifest", `bundle.json: ${key} is no text`);
  }
  const generator = "generator" in manifest ? manifest.generator : {}, { sources } = manifest;
  expect(textsOf(generator, ["name", "version"]), "manifest", "bundle.json: generator is no name and version");
  const sound = Array.isArray(sources) && sources.every((one) => textsOf(one, ["title", "licence", "note", "url"]));
  expect(sound, "manifest", "bundle.json: sources is no list of objects with a title and a licence in words");
  return manifest;
}

/** Return what the manifest says of the members, which must be those of the archive. */
function listed(manifest, found) {
  const { members } = manifest;
  expect(Array.isArray(members) && members.every(isObject), "manifest", "bundle.json: members is no list of objects");
  const times = new Map();
  for (const { name } of members) times.set(name, (times.get(name) ?? 0) + 1);
  for (const name of found.keys()) {
    expect(KNOWN.includes(name) || (manifest.minor ?? 0) > MINOR, "unknown-member",
      `member "${name}" does not belong into a bundle; allowed: ${KNOWN}`);
    expect(name === "bundle.json" || times.has(name), "unlisted", `member "${name}" is not listed in bundle.json`);
  }
  for (const { name, size, sha256: digest } of members) {
    expect(isText(name) && name !== "bundle.json", "manifest", `bundle.json: ${shown(name)} cannot be listed as a member`);
    expect(found.has(name), "missing", `bundle.json lists ${shown(name)}, which is missing`);
    expect(times.get(name) === 1, "manifest", `bundle.json lists ${shown(name)} twice`);
    expect(isWhole(size, 0) && isText(digest) && /^[0-9a-f]{64}$/.test(digest), "manifest",
      `bundle.json: ${shown(name)} needs a size and a sha256 of 64 hexadecimal digits`);
  }
  for (const name of WITH_SCENARIO) {
    const needed = "minor" in manifest && found.has("scenario.json");
    expect(!needed || found.has(name), "missing", `member "${name}" is missing: it belongs to scenario.json`);
    expect(!found.has(name) || found.has("scenario.json"), "stray",
      `member "${name}" belongs to scenario.json, which is missing`);
  }
  return members;
}

function checkContent(name, data, said) {
  expect(data.length === said.size, "hash", `member "${name}" has ${data.length} bytes, bundle.json says ${said.size}`);
  expect(sha256(data) === said.sha256, "hash",
    `member "${name}" is not what bundle.json says: its sha256 differs, so it was changed or damaged`);
  if (name === "preview.png") {
    expect(latin(data.subarray(0, 8)) === "\x89PNG\r\n\x1a\n", "picture", "preview.png: not a PNG picture");
  }
}

// -- what the members say --------------------------------------------------------------------------------------------

const isFlag = (value) => typeof value === "boolean";
const isTexts = (value) => Array.isArray(value) && value.every(isText);
const isMaybe = (value) => value === null || isWhole(value);
const isCosts = (value) => isObject(value) && Object.values(value).every(isMaybe);
const isPoint = (value) => Array.isArray(value) && value.length === 2 && value.every((one) => typeof one === "number");
const isPoints = (value) => Array.isArray(value) && value.every(isPoint);
const isLines = (value) => Array.isArray(value) && value.every(isPoints);
const isObjects = (value) => Array.isArray(value) && value.every(isObject);
const isNumber = (value) => isWhole(value, 0);
const isNumbers = (value) => isObject(value) && Object.values(value).every((one) => isWhole(one));
const isOrder = (value) => Array.isArray(value) && value.every(isTexts);

/** Give several keys the same test. */
const all = (test, ...keys) => Object.fromEntries(keys.map((key) => [key, test]));

// What the values of keys must be; a key with a question mark may be missing.
const LOCATION = {
  ...all(isText, "label", "kind", "terrain", "within", "sheet?", "layer?"),
  ...all(isMaybe, "q", "r", "column", "row", "contour"),
  ...all(isFlag, "crest", "road", "half", "in_play", "closed?"),
  ...all(isTexts, "markers", "neighbours", "tags?", "edges?"),
  level: (value) => isWhole(value), enter_halves: isCosts, dot: isPoint, outline: isPoints, holes: isLines,
};
const SIDE = {
  ...all(isText, "a", "b"), ...all(isTexts, "kinds", "roads", "through?"),
  rise: (value) => isWhole(value), cross_halves: isCosts, ends: isPoints, "lines?": isLines,
};
const RULESET = {
  ...all(isText, "id", "title"),
  ...all(isObject, "options", "movers", "movement?", "terrain", "sides", "markers"),
  ...all(isObject, "borders?", "areas?", "places?", "links?"),
};
const KIND = {
  ...all(isText, "id", "name", "kind", "role?", "section?", "mover?", "used_by?"),
  ...all(isFlag, "transport?", "stacks?"), ...all((value) => isWhole(value), "movement?", "quantity?", "points?"),
  "figures?": isNumbers,
};
const SETUP = {
  ...all(isObjects, "sides", "areas", "formations", "units", "objectives?", "turns?"),
  order: isOrder, "other_areas?": isNumbers,
};
const SETUP_LISTS = {
  sides: {
    ...all(isText, "id", "name", "team?", "color?", "played_by?"),
    ...all(isTexts, "enemies?", "formations?", "home?", "control?"),
  },
  areas: {
    labels: isTexts, ...all(isFlag, "exact?", "empty?"), "edges?": isTexts, "distances?": isObjects,
    ...all(isText, "text?", "same?"), ...all(isNumber, "least_in_hex?", "most_in_hex?", "most_in_area?"),
  },
  formations: {
    ...all(isText, "id", "side", "name", "arrival"), ...all(isNumber, "arrival_turn", "area"), "units?": isTexts,
    "restraints?": isObjects, ...all(isNumber, "hidden?", "activation_markers?"),
  },
  units: {
    ...all(isText, "id", "formation", "side", "type", "name", "at?", "carried_by?", "facing?", "quality?"),
    area: isNumber, "count?": (value) => isWhole(value, 1), "movement?": isNumber, "status?": isTexts,
    "figures?": isNumbers,
  },
  objectives: { ...all(isText, "id", "side"), ...all(isTexts, "labels?", "units?") },
  turns: {
    turn: isNumber, ...all(isText, "name?", "light?"), "visibility?": isNumber, "extra?": isFlag,
    ...all(isTexts, "arrivals?", "events?", "support?"),
  },
};

function shown(value) {
  if (Array.isArray(value)) return "a list";
  if (isObject(value)) return "an object";
  return String(JSON.stringify(isText(value) ? value.slice(0, 40) : value));
}

/** Return the first key of a record that is not what it must be; empty where all are. */
function fault(record, kinds) {
  for (const [key, test] of Object.entries(kinds)) {
    const name = key.endsWith("?") ? key.slice(0, -1) : key;
    if (!Object.hasOwn(record, name)) {
      if (name === key) return `the key "${name}" is missing`;
    } else if (!test(record[name])) return `"${name}" is ${shown(record[name])}`;
  }
  return "";
}

function checkRecords(where, records, kinds, code) {
  // The same as fault() for each of them, prepared once: there are many locations.
  const tests = Object.entries(kinds).map(([key, test]) => [key.replace("?", ""), key.endsWith("?"), test]);
  records.forEach((record, number) => {
    for (let i = 0; i < tests.length; i++) {
      const name = tests[i][0];
      if (Object.hasOwn(record, name) ? tests[i][2](record[name]) : tests[i][1]) continue;
      throw new BundleError(code, `${where} ${number}: ${fault(record, kinds)}, which it cannot be`);
    }
  });
}

function checkMeaning(manifest, parts) {
  for (const [name, kind] of [["map.json", "wargame-studio/map"], ["scenario.json", "wargame-studio/scenario"]]) {
    if (!Object.hasOwn(parts, name)) continue;
    const part = parts[name];
    expect(isObject(part) && part.format === kind && isWhole(part.version, 1), "document",
      `${name}: got no "${kind}" with a version`);
    expect(part.ruleset === manifest.ruleset, "game",
      `${name}: is for ${shown(part.ruleset)}, bundle.json says ${shown(manifest.ruleset)}`);
  }
  const ruleset = parts["ruleset.json"];
  expect(isObject(ruleset), "record", "ruleset.json: got no object");
  checkRecords("ruleset.json", [ruleset], RULESET, "record");
  expect(ruleset.id === manifest.ruleset, "game", `ruleset.json: got ${shown(ruleset.id)}, not that of bundle.json`);
  const labels = checkLocations(parts["locations.json"], ruleset);
  checkSides(parts["sides.json"], labels);
  if (Object.hasOwn(parts, "sight.bin")) checkSight(parts["sight.bin"], labels.size);
  if (Object.hasOwn(parts, "steps.json")) checkSteps(parts["steps.json"], ruleset.movers, labels.size);
  if (Object.hasOwn(parts, "roster.json")) checkRoster(parts["roster.json"]);
  if (Object.hasOwn(parts, "setup.json")) checkSetup(parts["setup.json"], labels);
}

function checkLocations(locations, ruleset) {
  expect(isObjects(locations) && locations.length > 0, "record", "locations.json: got no list of locations");
  checkRecords("locations.json: location", locations, LOCATION, "record");
  const around = new Map(), movers = Object.keys(ruleset.movers);
  for (const { label, kind, neighbours, terrain, enter_halves: costs } of locations) {
    const wrong = (code, why) => new BundleError(code, `locations.json: ${shown(label)}${why}`);
    if (!label || around.has(label)) throw wrong("label", ": a label that is empty or is there twice");
    around.set(label, new Set(neighbours));
    if (kind === "hex") {
      if (!Object.hasOwn(ruleset.terrain, terrain)) {
        throw wrong("terrain", " has a terrain that ruleset.json does not have");
      }
      const same = Object.keys(costs).length === movers.length && movers.every((mover) => Object.hasOwn(costs, mover));
      if (!same) throw wrong("movers", ": enter_halves has other movers than ruleset.json");
    }
  }
  for (const [label, names] of around) {
    for (const name of names) {
      if (around.get(name)?.has(label)) continue;
      const wrong = around.has(name) ? "not the other way round" : "which there is not";
      throw new BundleError("neighbours", `locations.json: ${shown(label)} is next to ${shown(name)}, but ${wrong}`);
    }
  }
  return around;
}

function checkSides(sides, labels) {
  expect(isObjects(sides), "record", "sides.json: got no list of sides");
  checkRecords("sides.json: side", sides, SIDE, "record");
  sides.forEach(({ a, b }, number) => {
    // The outline of an area may have no location on its other side: then b is empty.
    expect(labels.has(a) && (!b || labels.has(b)), "sides",
      `sides.json: side ${number} is not between two locations, nor the outline of one`);
  });
}

function checkSight(table, count) {
  const size = 12 + Math.ceil((count * count) / 4), over = (count * count) % 4;
  expect(latin(table.subarray(0, 8)) === SIGHT_MAGIC, "sight", `sight.bin: allowed ${SIGHT_MAGIC} at its start`);
  expect(table.length === size, "sight", `sight.bin: has ${table.length} bytes, allowed ${size} for ${count} locations`);
  const found = table[8] + table[9] * 0x100 + table[10] * 0x10000 + table[11] * 0x1000000;
  expect(found === count, "sight", `sight.bin: is for ${found} locations, locations.json has ${count}`);
  expect(!over || !(table[size - 1] >> (2 * over)), "sight", "sight.bin: the unused bits at its end are not 0");
}

function checkSteps(steps, movers, count) {
  expect(isObject(steps), "steps", "steps.json: got no object of movers");
  for (const [mover, rows] of Object.entries(steps)) {
    expect(Object.hasOwn(movers, mover), "steps", `steps.json: ${shown(mover)} is no mover of ruleset.json`);
    expect(Array.isArray(rows) && rows.length === count && rows.every(Array.isArray), "steps",
      `steps.json: ${shown(mover)} has not one list for each of ${count} locations`);
    rows.forEach((row, place) => {
      const sound = row.length % 2 === 0 && row.every((one, i) => isWhole(one, 0) && (i % 2 || one < count));
      expect(sound, "steps", `steps.json: ${shown(mover)}: the steps from location ${place} are no places and costs`);
    });
  }
}

function checkRoster(roster) {
  expect(isObject(roster) && Object.values(roster).every(isObject), "roster",
    "roster.json: got no object of kinds of units");
  for (const [name, kind] of Object.entries(roster)) {
    const wrong = fault(kind, KIND) || (kind.id === name ? "" : `"id" is ${shown(kind.id)}`);
    expect(!wrong, "roster", `roster.json: ${shown(name)}: ${wrong}, which it cannot be`);
  }
}

function checkSetup(setup, labels) {
  expect(isObject(setup), "setup", "setup.json: got no object");
  checkRecords("setup.json", [setup], SETUP, "setup");
  for (const key in SETUP_LISTS) checkRecords(`setup.json: ${key}`, setup[key] ?? [], SETUP_LISTS[key], "setup");
  const ids = {};
  for (const key of ["sides", "formations", "units"]) {
    ids[key] = new Set(setup[key].map((one) => one.id));
    expect(ids[key].size === setup[key].length, "setup", `setup.json: two of ${key} have the same id`);
  }
  const known = (where, names, among) => {
    for (const name of names) {
      expect(among.has(name), "setup", `setup.json: ${where} names ${shown(name)}, which there is not`);
    }
  };
  setup.areas.forEach((area, number) => known(`area ${number}`, area.labels, labels));
  for (const side of setup.sides) {
    known(`side ${side.id}`, [...(side.home ?? []), ...(side.control ?? [])], labels);
    known(`side ${side.id}`, side.formations ?? [], ids.formations);
    known(`side ${side.id}`, side.enemies ?? [], ids.sides);
  }
  for (const one of [...setup.formations, ...setup.units]) {
    known(one.id, [one.side], ids.sides);
    expect(one.area < setup.areas.length, "setup", `setup.json: ${one.id} has the area ${one.area}, which there is not`);
  }
  for (const formation of setup.formations) known(`formation ${formation.id}`, formation.units ?? [], ids.units);
  for (const unit of setup.units) {
    known(`unit ${unit.id}`, [unit.formation], ids.formations);
    known(`unit ${unit.id}`, unit.at ? [unit.at] : [], labels);
    known(`unit ${unit.id}`, unit.carried_by ? [unit.carried_by] : [], ids.units);
  }
  for (const names of setup.order) known("order", names, ids.formations);
  for (const one of setup.objectives ?? []) {
    known(`objective ${one.id}`, one.labels ?? [], labels);
    known(`objective ${one.id}`, one.units ?? [], ids.units);
  }
  for (const turn of setup.turns ?? []) known(`turn ${turn.turn}`, turn.arrivals ?? [], ids.formations);
}

// -- older bundles ---------------------------------------------------------------------------------------------------

/**
 * Bring a sound bundle of an older version, or of before 1.0, to what this version holds.
 *
 * Bundles of before 1.0 have no `minor`, `generator`, `roster.json` and `setup.json`, and their locations know neither
 * `closed` nor `edges`. What can be known is filled in; a set-up cannot: export the scenario again for it.
 */
export function upgraded(manifest, parts) {
  for (const location of parts["locations.json"]) {
    location.closed ??= false;
    location.edges ??= [];
    location.tags ??= [];
    location.sheet ??= "";
    location.layer ??= "";
  }
  for (const side of parts["sides.json"]) {
    side.through ??= [];
    side.lines ??= [side.ends];
  }
  const generator = { name: "", version: "", ...manifest.generator };
  return [{ ...manifest, minor: manifest.minor ?? 0, generator }, { "roster.json": {}, ...parts }];
}

// -- from the command line -------------------------------------------------------------------------------------------

function summary(bundle) {
  const units = (bundle.setup?.units ?? []).reduce((sum, unit) => sum + (unit.count ?? 1), 0);
  return [
    `title      ${bundle.title}`,
    `ruleset    ${bundle.manifest.ruleset}`,
    `locations  ${bundle.locations.length}`,
    `sides      ${bundle.sides.length} with something on them`,
    `scenario   ${bundle.scenario === null ? "none" : bundle.scenario.title ?? ""}`,
    `units      ${units} of ${Object.keys(bundle.roster).length} kinds`,
    `sight      ${bundle.hasSight ? "table of all pairs" : "no table"}`,
    `sources    ${bundle.manifest.sources.map((source) => source.title ?? "").join(", ") || "none named"}`,
  ].join("\n");
}

async function main(names) {
  const { readFileSync } = await import("node:fs");
  if (!names.length) {
    console.error("usage: node reader.mjs FILE...");
    return 2;
  }
  let code = 0;
  for (const name of names) {
    try {
      console.log(summary(readBundle(readFileSync(name))));
    } catch (error) {
      if (!(error instanceof BundleError) && error.code !== "ENOENT") throw error;
      console.error(`refused [${error.code}]: ${name}: ${error.message}`);
      code = 1;
    }
  }
  return code;
}

if (/(^|[\\/])reader\.mjs$/.test(globalThis.process?.argv?.[1] ?? "")) {
  main(globalThis.process.argv.slice(2)).then((code) => {
    globalThis.process.exitCode = code;
  });
}
