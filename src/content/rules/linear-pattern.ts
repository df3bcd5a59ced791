/** Regular expressions of a site's developers, in time linear in the text: no look-around, back reference or word border. */

type Test = (sign: string) => boolean;

type State =
  | { readonly kind: 'sign'; readonly test: Test; readonly next: State }
  | { readonly kind: 'fork'; readonly next: State[] }
  | { readonly kind: 'edge'; readonly isEnd: boolean; readonly next: State }
  | { readonly kind: 'match' };

/** Makes the states of a part in front of those that follow it. */
type Part = (next: State) => State;

const mostStates = 2000;
/** States times characters: some hundred milliseconds. */
const mostSteps = 1_000_000;
const match: State = { kind: 'match' };

/** Null for a pattern that cannot be read. A text that would take too many steps does not match. */
export function linearPattern(pattern: string): ((text: string) => boolean) | null {
  const [, body = pattern, flags = ''] = /^\/(.*)\/([a-z]{0,5})$/s.exec(pattern) ?? [];
  try {
    const reader = new PatternReader(body, flags.includes('i') ? 'i' : '');
    const start = reader.read();
    return (text) => text.length * reader.states <= mostSteps && finds(start, [...text]);
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) return null;
    throw error;
  }
}

class PatternReader {
  readonly #text: string;
  readonly #flags: string;
  #at = 0;
  states = 0;

  constructor(text: string, flags: string) {
    this.#text = text;
    this.#flags = flags;
  }

  read(): State {
    const part = this.#alternatives();
    if (this.#at < this.#text.length) throw new SyntaxError('a closing parenthesis');
    return part(match);
  }

  #alternatives(): Part {
    const parts = [this.#sequence()];
    while (this.#take('|')) parts.push(this.#sequence());
    return parts.length === 1 && parts[0] ? parts[0] : (next) => this.#fork(parts.map((part) => part(next)));
  }

  #sequence(): Part {
    const parts: Part[] = [];
    while (this.#at < this.#text.length && !/^[|)]/.test(this.#rest(1))) parts.push(this.#repeated(this.#atom()));
    return (next) => parts.reduceRight((after, part) => part(after), next);
  }

  #atom(): Part {
    if (this.#take('(')) {
      if (!this.#take('?:') && this.#rest(1) === '?') throw new SyntaxError('a look-around or a named group');
      const inner = this.#alternatives();
      if (!this.#take(')')) throw new SyntaxError('an open parenthesis');
      return inner;
    }
    if (this.#take('^')) return (next) => this.#counted({ kind: 'edge', isEnd: false, next });
    if (this.#take('$')) return (next) => this.#counted({ kind: 'edge', isEnd: true, next });
    const test = this.#signs();
    return (next) => this.#counted({ kind: 'sign', test, next });
  }

  /** A class, an escape, a dot or a sign: one character of the text, which the engine's own expressions test. */
  #signs(): Test {
    const form =
      /\[(?:[^\]\\]|\\.)*\]|\\(?:u[\da-fA-F]{4}|x[\da-fA-F]{2}|[pP]\{\w{1,60}\}|[^1-9bBkcuxpP])|[^\\[*+?{]/suy;
    form.lastIndex = this.#at;
    const [text] = form.exec(this.#text) ?? [];
    if (text === undefined) throw new SyntaxError('an unknown escape or a repetition of nothing');
    this.#at += text.length;
    const expression = readClass(text, this.#flags);
    return (sign) => expression.test(sign);
  }

  #repeated(part: Part): Part {
    const form = /([*+?])\??|\{(\d{1,4})(,)?(\d{1,4})?\}\??/y;
    form.lastIndex = this.#at;
    const [whole, sign, least = '0', isRange, most] = form.exec(this.#text) ?? [];
    if (whole === undefined) return part;
    this.#at += whole.length;
    if (sign === '?') return this.#times(part, 0, 1);
    if (sign !== undefined) return this.#times(part, sign === '+' ? 1 : 0, null);
    return this.#times(part, Number(least), most === undefined ? (isRange ? null : Number(least)) : Number(most));
  }

  #times(part: Part, least: number, most: number | null): Part {
    return (next) => {
      let after = next;
      if (most === null) {
        const loop: State = this.#fork([next]);
        if (loop.kind === 'fork') loop.next.unshift(part(loop));
        after = loop;
      }
      for (let count = least; count < (most ?? least); count += 1) after = this.#fork([part(after), next]);
      for (let count = 0; count < least; count += 1) {
        const before = this.states;
        after = part(after);
        // Without signs it has no state, and is repeated nevertheless.
        if (this.states === before) this.#count();
      }
      return after;
    };
  }

  #fork(next: State[]): State {
    return this.#counted({ kind: 'fork', next });
  }

  #counted(state: State): State {
    this.#count();
    return state;
  }

  #count(): void {
    this.states += 1;
    if (this.states > mostStates) throw new RangeError('too many repetitions');
  }

  #rest(length: number): string {
    return this.#text.slice(this.#at, this.#at + length);
  }

  #take(text: string): boolean {
    const isNext = this.#rest(text.length) === text;
    if (isNext) this.#at += text.length;
    return isNext;
  }
}

function readClass(text: string, flags: string): RegExp {
  try {
    return new RegExp(`^${text}$`, `u${flags}`);
  } catch {
    // Unicode mode refuses escapes such as \_ that other expressions have.
    return new RegExp(`^${text.replace(/^[/}\]]$/, '\\$&')}$`, flags);
  }
}

function finds(start: State, signs: readonly string[]): boolean {
  let states: State[] = [];
  for (let at = 0; at <= signs.length; at += 1) {
    const reached = reach([...states, start], { isStart: at === 0, isEnd: at === signs.length });
    if (reached.has(match)) return true;
    const sign = signs[at] ?? '';
    states = [];
    for (const state of reached) if (state.kind === 'sign' && state.test(sign)) states.push(state.next);
  }
  return false;
}

/** Every state that needs no further sign, each once. */
function reach(from: State[], { isStart, isEnd }: { readonly isStart: boolean; readonly isEnd: boolean }): Set<State> {
  const reached = new Set<State>();
  for (let state = from.pop(); state !== undefined; state = from.pop()) {
    if (reached.has(state)) continue;
    reached.add(state);
    if (state.kind === 'fork') from.push(...state.next);
    else if (state.kind === 'edge' && (state.isEnd ? isEnd : isStart)) from.push(state.next);
  }
  return reached;
}
