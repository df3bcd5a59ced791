/**
 * Finds regular expressions whose time grows faster than their text: a repetition without a bound that is tried again
 * from each place of one run of signs, and two of them that can share the same signs in many ways. It follows sets of
 * single signs; repeated groups of several signs are looked at twice in a row.
 */

interface Step {
  readonly kind: 'sign' | 'check';
  /** Signs of the sample that fit; undefined for a check such as `$`, which takes none and may fail. */
  readonly set?: ReadonlySet<number>;
  readonly isOptional: boolean;
  readonly isEndless: boolean;
  /** The groups that may be left out and hold it. */
  readonly options: readonly object[];
}

type Path = readonly Step[];

/** The signs by which sets are compared. */
const sample = [...Array.from({ length: 256 }, (_none, code) => code), 0x131, 0x300, 0x3b1, 0x200d, 0x4e00, 0xfeff];
const mostPaths = 4000;
const check: Step = { kind: 'check', isOptional: false, isEndless: false, options: [] };

/** What is wrong with a pattern; null for nothing. */
export function patternProblem(source: string, flags: string): string | null {
  const { paths, looks } = new Reader(source, flags).read();
  const isSticky = flags.includes('y');
  for (const path of [...paths, ...looks]) {
    const problem = twoThatMeet(path) ?? (isSticky || startsAtStart(path) ? null : movingStart(path));
    if (problem !== null) return problem;
  }
  return null;
}

const start: Step = { ...check };

function startsAtStart(path: Path): boolean {
  return path.find((step) => step === start || step.kind === 'sign') === start;
}

/** Whether a match that came past the step may fail later: not by a group that is then left out. */
function mayFailAfter(path: Path, at: number): boolean {
  const options = path[at]?.options ?? [];
  return path.slice(at + 1).some((step) => !step.isOptional && step.options.every((one) => options.includes(one)));
}

/** All steps between can be passed with signs of the set. */
function passes(steps: Path, set: ReadonlySet<number>): boolean {
  return steps.every((step) => step.isOptional || step.set === undefined || shares(step.set, set));
}

function shares(one: ReadonlySet<number>, other: ReadonlySet<number>): boolean {
  return [...one].some((code) => other.has(code));
}

function twoThatMeet(path: Path): string | null {
  for (const [at, { set, isEndless }] of path.entries()) {
    if (!isEndless || set === undefined) continue;
    for (let next = at + 1; next < path.length; next += 1) {
      const other = path[next];
      if (!other?.isEndless || other.set === undefined || !mayFailAfter(path, next)) continue;
      const common = new Set([...set].filter((code) => other.set?.has(code)));
      if (common.size > 0 && passes(path.slice(at + 1, next), common)) return 'has two repetitions that meet';
    }
  }
  return null;
}

function movingStart(path: Path): string | null {
  for (const [at, { set, isEndless }] of path.entries()) {
    if (!isEndless || set === undefined || !mayFailAfter(path, at)) continue;
    if (passes(path.slice(0, at), set)) return 'has a repetition that is tried again from each place';
  }
  return null;
}

/** Reads a pattern into the sequences of steps that it may take. */
class Reader {
  readonly #source: string;
  readonly #flags: string;
  /** Of what it looks ahead at, each with what is before. */
  readonly #looks: Path[] = [];
  #at = 0;

  constructor(source: string, flags: string) {
    this.#source = source;
    this.#flags = flags.replace(/[gyd]/g, '');
  }

  read(): { readonly paths: readonly Path[]; readonly looks: readonly Path[] } {
    return { paths: this.#alternatives([[]]), looks: this.#looks };
  }

  /** What may follow the paths before. */
  #alternatives(before: readonly Path[]): readonly Path[] {
    const all: Path[] = [];
    let paths: readonly Path[] = [[]];
    while (this.#at < this.#source.length && this.#source[this.#at] !== ')') {
      if (this.#source[this.#at] === '|') {
        this.#at += 1;
        all.push(...paths);
        paths = [[]];
        continue;
      }
      const found = this.#term(before.flatMap((path) => paths.map((next) => [...path, ...next])));
      paths = paths.flatMap((path) => found.map((next) => [...path, ...next]));
      if (all.length + paths.length > mostPaths) throw new Error(`has too many ways: ${this.#source}`);
    }
    return [...all, ...paths];
  }

  #term(before: readonly Path[]): readonly Path[] {
    const rest = this.#source.slice(this.#at);
    const look = /^\((\?<?[=!])/.exec(rest)?.[1];
    if (look !== undefined) {
      const inside = this.#group(look.length + 1, before);
      if (!look.includes('<')) {
        this.#looks.push(...before.flatMap((path) => inside.map((next) => [...path, ...next, check])));
      }
      return [[look.includes('<') ? check : { ...check, isOptional: look === '?!' }]];
    }
    if (rest.startsWith('^')) return this.#sign(1, start);
    if (/^(?:\$|\\b|\\B)/.test(rest)) return this.#sign(rest.startsWith('$') ? 1 : 2, check);
    if (rest.startsWith('(')) {
      const inside = this.#group(/^\((?:\?(?::|<\w+>))?/.exec(rest)?.[0].length ?? 1, before);
      return repeated(inside, this.#quantifier());
    }
    const set = this.#set();
    return repeated([[{ ...check, kind: 'sign', set }]], this.#quantifier());
  }

  #sign(length: number, step: Step): readonly Path[] {
    this.#at += length;
    return [[step]];
  }

  #group(opening: number, before: readonly Path[]): readonly Path[] {
    this.#at += opening;
    const inside = this.#alternatives(before);
    this.#at += 1;
    return inside;
  }

  #quantifier(): { readonly least: number; readonly isEndless: boolean } {
    const [whole = '', least, comma, most] =
      /^(?:[*+?]|\{(\d+)(,?)(\d*)\})\??/.exec(this.#source.slice(this.#at)) ?? [];
    this.#at += whole.length;
    if (whole === '') return { least: 1, isEndless: false };
    if (least !== undefined) return { least: Number(least), isEndless: comma === ',' && most === '' };
    return { least: whole.startsWith('+') ? 1 : 0, isEndless: !whole.startsWith('?') };
  }

  #set(): ReadonlySet<number> {
    const form =
      /^(?:\[(?:\\.|[^\\\]])*\]|\\[pP]\{[^}]*\}|\\u\{[^}]*\}|\\u[\da-f]{4}|\\x[\da-f]{2}|\\c.|\\k<\w+>|\\.|.)/isu;
    const one = form.exec(this.#source.slice(this.#at))?.[0] ?? '';
    if (one === '') throw new Error(`is not understood: ${this.#source}`);
    this.#at += one.length;
    // A reference to a group may be any text.
    const fits = /^\\(?:[1-9]|k<)/.test(one) ? /^.$/s : new RegExp(`^${one}$`, this.#flags);
    return new Set(sample.filter((code) => fits.test(String.fromCodePoint(code))));
  }
}

function repeated(
  inside: readonly Path[],
  { least, isEndless }: { readonly least: number; readonly isEndless: boolean },
): readonly Path[] {
  if (least === 1 && !isEndless) return inside;
  const signs = inside.map((path) => path.filter((step) => step.kind === 'sign'));
  if (signs.every((path) => path.length === 1 && path[0]?.isEndless === false)) {
    const set = new Set(signs.flatMap(([step]) => [...(step?.set ?? [])]));
    return [[{ ...check, kind: 'sign', set, isOptional: least === 0, isEndless }]];
  }
  const holdsEndless = inside.some((path) => path.some((step) => step.isEndless));
  const twice = isEndless && holdsEndless ? inside.flatMap((one) => inside.map((next) => [...one, ...next])) : [];
  if (least > 0) return [...inside, ...twice];
  const option = {};
  const optional = (path: Path) => path.map((step) => ({ ...step, options: [...step.options, option] }));
  return [[], ...[...inside, ...twice].map(optional)];
}
