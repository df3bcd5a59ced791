/** Reads the lines of an export: a first line that says what the file is, then one record of an object on each line. */
import { AppError } from '../../errors/app-error.js';
import { type InputLine, readLines } from '../../pages/authoring/import-pages.js';
import { isJsonObject, type JsonObject, kindName } from '../../values/json.js';
import { JsonFault, type JsonMaker, JsonReader, type ListMaker, type ObjectMaker } from '../../values/json-reader.js';
import { faultText } from '../../values/json-tree.js';

export interface Line {
  /** From 1. */
  readonly line: number;
  /** For messages: `line 12`, with the name of the file where there are several. */
  readonly at: string;
}

/** `{"object": "chunks", "record": {…}}`. */
export interface TransferRecord extends Line {
  readonly object: string;
  readonly record: JsonObject;
  /** When the file was written: ISO 8601. */
  readonly exported: string;
  /** Where the member begins in the line, from 1. */
  readonly columnOf: (member: string) => number;
  readonly objectColumn: number;
}

const formatVersion = 1;
const backupStart = 'hcd-backup ';
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

export function headerLine(exported: string): string {
  return `${JSON.stringify({ hcd: formatVersion, exported })}\n`;
}

interface ReadHow {
  readonly problems: Problems;
  readonly file?: string;
  readonly onBytes?: (count: number) => void;
}

/** In the memory of one line. Throws `refused` when the first line is not that of an export. */
export async function* readRecords(
  chunks: AsyncIterable<Buffer>,
  { problems, file = '', onBytes = () => undefined }: ReadHow,
): AsyncGenerator<TransferRecord> {
  let exported: string | undefined;
  for await (const input of readLines(chunks, onBytes)) {
    const { number: line, text, problem } = input;
    const at = `${file} line ${line}`.trim();
    if (exported === undefined) exported = readHeader(input, at);
    else if (text === null) problems.add({ line, at, problem: problem ?? 'cannot be read' });
    else if (text.trim() !== '') {
      const read = readLine(text);
      if ('problem' in read) problems.add({ line, at, ...read });
      else yield { line, at, ...read, exported };
    }
  }
}

/** Returns the time of the export. A file that does not begin like an export is not read further. */
function readHeader({ number: line, text, problem: unread = '' }: InputLine, at: string): string {
  const problems = new Problems();
  const expected = 'must be {"hcd": 1, "exported": "<time>"}, the first line of an export';
  const add = (problem: string, column = 1): void => problems.add({ line, at, column, problem });
  const given = text === null ? { problem: unread } : parse(text);
  const { hcd, exported, ...others } = 'problem' in given ? {} : given.value;
  if (text?.startsWith(backupStart) === true) add(`${expected}; this is a backup, which hcd restore reads`);
  else if ('problem' in given) add(`${expected}; ${given.problem}`, given.column);
  else if (typeof hcd === 'number' && Number.isInteger(hcd) && hcd > formatVersion) {
    add(`hcd is ${hcd}: a later version wrote this file; this one reads ${formatVersion}`);
  } else if (hcd !== formatVersion || typeof exported !== 'string' || !time.test(exported)) add(expected);
  else {
    for (const name of Object.keys(others)) {
      add(`${JSON.stringify(name)} is unknown`, given.columnOf(given.value, name));
    }
    problems.refuseAny();
    return exported;
  }
  throw problems.refusal();
}

type Wrong = Pick<Problem, 'problem' | 'column' | 'object'>;

function readLine(text: string): Pick<TransferRecord, 'object' | 'record' | 'columnOf' | 'objectColumn'> | Wrong {
  const given = parse(text);
  if ('problem' in given) return given;
  const { object, record, ...others } = given.value;
  const columnOf = (member: string): number => given.columnOf(given.value, member);
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) {
    const problem = `${JSON.stringify(unknown)} is unknown; a line has object and record`;
    return { column: columnOf(unknown), problem };
  }
  if (typeof object !== 'string') {
    return { column: columnOf('object'), problem: `object must be a name, not ${kindName(object)}` };
  }
  if (!isJsonObject(record)) {
    return { object, column: columnOf('record'), problem: `record must be an object, not ${kindName(record)}` };
  }
  return {
    ...{ object, record, objectColumn: columnOf('object') },
    columnOf: (member) => given.columnOf(record, member),
  };
}

interface Parsed {
  readonly value: JsonObject;
  readonly columnOf: (owner: object, member: string) => number;
}

/** No site has more, and the memory of a hostile line stays below 400 MiB. */
const limits = { members: 100_000, values: 500_000, depth: 64 };

class NameTwice extends Error {
  readonly member: string;
  readonly at: number;

  constructor(member: string, at: number) {
    super(member);
    this.member = member;
    this.at = at;
  }
}

function parse(text: string): Parsed | Wrong {
  const places: Places = new Map();
  const maker = new ValueMaker(places);
  try {
    const value = new JsonReader(text, { limits, maker }).read();
    if (!isJsonObject(value)) return { column: 1, problem: `must be a JSON object, not ${kindName(value)}` };
    return { value, columnOf: (owner, member) => (places.get(owner)?.get(member) ?? 0) + 1 };
  } catch (error) {
    if (error instanceof NameTwice) {
      return {
        column: error.at + 1,
        problem: `column ${error.at + 1}: ${JSON.stringify(error.member)} is given twice`,
      };
    }
    if (!(error instanceof JsonFault)) throw error;
    const column = error.at + 1;
    return { column, problem: `column ${column}: ${faultText(error, { text, key: maker.key, limits })}` };
  }
}

type Places = Map<object, ReadonlyMap<string, number>>;

/** Levels of objects whose members are placed: the line, and the record in it. */
const placedLevels = 2;

/** `places` gets where the members of the line and of its record begin. */
class ValueMaker implements JsonMaker<unknown> {
  key = '';
  readonly #places: Places;
  #level = 0;

  constructor(places: Places) {
    this.#places = places;
  }

  leaf(value: unknown): unknown {
    return value;
  }

  list(): ListMaker<unknown> {
    const items: unknown[] = [];
    this.#level += 1;
    return {
      add: (item) => items.push(item),
      done: () => {
        this.#level -= 1;
        return items;
      },
    };
  }

  object(): ObjectMaker<unknown> {
    const members: [string, unknown][] = [];
    const names = new Map<string, number>();
    let name = '';
    this.#level += 1;
    return {
      name: (next, at) => {
        if (names.has(next)) throw new NameTwice(next, at);
        names.set(next, at);
        name = next;
        this.key = next;
      },
      add: (value) => members.push([name, value]),
      done: () => {
        const made = Object.fromEntries(members);
        if (this.#level <= placedLevels) this.#places.set(made, names);
        this.#level -= 1;
        return made;
      },
    };
  }
}

/** After this many wrong lines, something other than single lines is wrong. */
const most = { lines: 100, problems: 20 };

interface Problem extends Line {
  readonly problem: string;
  readonly column?: number;
  readonly object?: string;
  readonly field?: string;
}

export class Problems {
  readonly #lines = new Map<string, string[]>();
  #first: Problem | undefined;

  get any(): boolean {
    return this.#first !== undefined;
  }

  add(one: Problem): void {
    const { at, object, field, problem } = one;
    const name = [object, field].filter((word) => word !== undefined).join('.');
    const text = name === '' ? problem : `${name}: ${problem}`;
    const known = this.#lines.get(at);
    if (known && known.length < most.problems) known.push(text);
    else if (!known) this.#lines.set(at, [text]);
    this.#first ??= { ...one, problem: text };
    if (this.#lines.size >= most.lines) throw this.refusal();
  }

  refuseAny(): void {
    if (this.any) throw this.refusal();
  }

  refusal(): AppError {
    const { line = 0, at = '', problem = '', column = 1, object, field } = this.#first ?? {};
    const more = this.#lines.size > 1 ? `; ${this.#lines.size} lines are wrong in all` : '';
    return new AppError('refused', {
      message: `${at}: ${problem}${more}`,
      details: {
        fields: Object.fromEntries(this.#lines),
        place: { line, column, ...(object === undefined ? {} : { object }), ...(field === undefined ? {} : { field }) },
      },
    });
  }
}

/** Refusals of the database that a row causes. */
const causedByRows: ReadonlySet<string> = new Set(['payload_too_large', 'validation_failed', 'conflict']);

/** The error with the lines whose rows the database refused; `said` replaces the message of a code. */
export function atLines(error: unknown, lines: readonly Line[], said: Readonly<Record<string, string>> = {}): unknown {
  if (!(error instanceof AppError) || !causedByRows.has(error.code) || error.details.place) return error;
  const { code, details, message } = error;
  const [{ line, at } = { line: 1, at: '' }, last] = [lines[0], lines.at(-1)?.at];
  const place = last === at ? at : `${at} to ${last}`;
  return new AppError(code, {
    message: `${place}: ${said[code] ?? message}`,
    details: { ...details, place: { line, column: 1 } },
    cause: error,
  });
}
