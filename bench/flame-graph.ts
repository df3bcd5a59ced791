/** The profiles that Node writes with `--cpu-prof`, as a flame graph (SVG): each box is as wide as the time of its function. */
import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

/** The parts of a file of the inspector's type Profiler.Profile that are read. */
interface Profile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
    readonly children?: readonly number[];
  }[];
  readonly samples: readonly number[];
  /** Microseconds from one sample to the next. */
  readonly timeDeltas: readonly number[];
}

export interface Frame {
  readonly name: string;
  readonly url: string;
  /** Microseconds in the function and in those that it calls. */
  time: number;
  readonly calls: Map<string, Frame>;
}

/** Calls of the profile with the most samples, the event loop's: without idle time, from `skipped` (0 to 1) of its time on. */
export async function readFlames(folder: string, skipped: number): Promise<Frame> {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.cpuprofile'));
  const texts = await Promise.all(files.map((name) => readFile(join(folder, name), 'utf8')));
  const profiles = texts.map((text): Profile => JSON.parse(text));
  const busiest = profiles.sort((one, other) => other.samples.length - one.samples.length)[0];
  if (busiest === undefined) throw new Error(`no profile in ${folder}`);
  return gather(busiest, skipped);
}

function gather({ nodes, samples, timeDeltas }: Profile, skipped: number): Frame {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)));
  const root: Frame = { name: 'event loop', url: '', time: 0, calls: new Map() };
  const from = timeDeltas.reduce((sum, delta) => sum + delta, 0) * skipped;
  let passed = 0;
  for (const [at, sample] of samples.entries()) {
    const delta = timeDeltas[at] ?? 0;
    passed += delta;
    const path: Profile['nodes'][number]['callFrame'][] = [];
    for (let id: number | undefined = sample; id !== undefined; id = parents.get(id)) {
      const frame = byId.get(id)?.callFrame;
      if (frame !== undefined) path.unshift(frame);
    }
    if (passed < from || path.at(-1)?.functionName === '(idle)') continue;
    // The first one is the root of all calls.
    let frame = root;
    frame.time += delta;
    for (const { functionName, url, lineNumber } of path.slice(1)) {
      const place = `${basename(url)}:${lineNumber + 1}`;
      const name = functionName === '' ? place : functionName;
      const key = `${name} ${url}`;
      const next = frame.calls.get(key) ?? { name, url, time: 0, calls: new Map() };
      frame.calls.set(key, next);
      next.time += delta;
      frame = next;
    }
  }
  return root;
}

const width = 1200;
const rowHeight = 18;
/** Boxes below this share of the whole are left out, and those below the other one have no text. */
const leastShare = 0.002;
const leastNamed = 0.03;
/** Kinds of code, with their colours. */
const colours = {
  program: '#f2a65a',
  database: '#e07a5f',
  Node: '#9cc5a1',
  sending: '#81b1d5',
  collection: '#d5c6e0',
  other: '#c9d6df',
} as const;

export type Kind = keyof typeof colours;

/** The graph as text of an SVG; `title` stands above it. */
export function flameGraph(root: Frame, title: string): string {
  const boxes: string[] = [];
  let depth = 0;
  const draw = (frame: Frame, left: number, level: number): void => {
    const share = frame.time / root.time;
    if (share < leastShare) return;
    depth = Math.max(depth, level);
    const label = `${frame.name} ${(share * 100).toFixed(1)} %`;
    const [x, y, boxWidth] = [left * width, (level + 2) * rowHeight, share * width];
    const shown = label.slice(0, Math.floor(boxWidth / 7));
    const text = share < leastNamed ? '' : `<text x="${(x + 3).toFixed(1)}" y="${y + 13}">${escaped(shown)}</text>`;
    const box = `<rect x="${x.toFixed(1)}" y="${y}" width="${boxWidth.toFixed(1)}" height="${rowHeight - 1}" fill="${colours[kindOf(frame)]}"/>`;
    boxes.push(`<g><title>${escaped(label)}</title>${box}${text}</g>`);
    let at = left;
    for (const call of [...frame.calls.values()].sort((one, other) => other.time - one.time)) {
      draw(call, at, level + 1);
      at += call.time / root.time;
    }
  };
  draw(root, 0, 0);
  const height = (depth + 3) * rowHeight;
  const head = `<text x="3" y="14">${escaped(title)}</text>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="monospace" font-size="11">\n<title>${escaped(title)}</title>\n${head}\n${boxes.join('\n')}\n</svg>\n`;
}

interface OwnShare {
  readonly name: string;
  readonly kind: Kind;
  share: number;
}

/** Where the time goes, without that of the functions that are called: by function, the most first, and by kind of code. */
export function ownShares(root: Frame): {
  readonly functions: readonly OwnShare[];
  readonly kinds: Readonly<Record<Kind, number>>;
} {
  const functions = new Map<string, OwnShare>();
  const kinds = { program: 0, database: 0, Node: 0, sending: 0, collection: 0, other: 0 };
  const add = (frame: Frame): void => {
    let own = frame.time / root.time;
    for (const call of frame.calls.values()) {
      own -= call.time / root.time;
      add(call);
    }
    const kind = kindOf(frame);
    const known = functions.get(`${frame.name} ${frame.url}`) ?? { name: frame.name, kind, share: 0 };
    functions.set(`${frame.name} ${frame.url}`, known);
    known.share += own;
    kinds[kind] += own;
  };
  add(root);
  return { functions: [...functions.values()].sort((one, other) => other.share - one.share), kinds };
}

function kindOf({ name, url }: Frame): Kind {
  if (url.startsWith('node:')) return 'Node';
  if (/better-driver|better-sqlite3|node_modules\/mariadb/.test(url)) return 'database';
  if (url !== '') return 'program';
  if (/^write(v|Buffer|\w*String)$/.test(name)) return 'sending';
  return name === '(garbage collector)' ? 'collection' : 'other';
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
