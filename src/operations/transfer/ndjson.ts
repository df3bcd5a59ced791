/** The container of a file: a first line that says what it is, then one record of an object on each line. */
import { mostBytes, readLines } from '../../pages/authoring/import-pages.js';
import { isJsonObject, isWithinDepth, type JsonObject, kindName } from '../../values/json.js';
import { Items, JsonFault, type JsonMaker, JsonReader, type ObjectMaker } from '../../values/json-reader.js';
import { faultText } from '../../values/json-tree.js';
import type { Scope } from './kind.js';
import type { Line, LineProblems, OutRecord, Problem, TransferRecord } from './transfer-record.js';

export interface NdjsonRecord extends TransferRecord {
  readonly exported: string;
}

const formatVersion = 1;
const backupStart = 'hcd-backup ';
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

/** With the line around it, 64. */
const deepestRecord = 63;

export interface NdjsonWriting extends Pick<Scope, 'onLost'> {
  readonly exported: string;
  readonly onRecords?: (done: number) => void;
}

/** Records that an import would refuse are left out. The first line is written when the moment of the export has begun. */
export async function* writeNdjson(
  records: AsyncIterable<readonly OutRecord[]>,
  { exported, onLost, onRecords }: NdjsonWriting,
): AsyncGenerator<string> {
  let head = `${JSON.stringify({ hcd: formatVersion, exported })}\n`;
  let done = 0;
  for await (const some of records) {
    const lines = some.flatMap(({ object, key, record }) => {
      const line = JSON.stringify(sorted({ object, record }));
      const isFitting = Buffer.byteLength(line) <= mostBytes;
      if (isFitting && isWithinDepth(record, deepestRecord)) return [`${line}\n`];
      const why = isFitting ? 'it has too many levels' : 'its line would be too long';
      onLost?.({ object, key, member: null, why });
      return [];
    });
    done += lines.length;
    onRecords?.(done);
    yield head + lines.join('');
    head = '';
  }
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isJsonObject(value)) return value;
  const names = Object.keys(value).sort();
  return Object.fromEntries(names.map((name): [string, unknown] => [name, sorted(value[name])]));
}

/** In the memory of one line. Throws `refused` when the first line is not that of an export. */
export async function* readNdjson(
  chunks: AsyncIterable<Buffer>,
  {
    problems,
    file = '',
    onBytes = () => undefined,
  }: { readonly problems: LineProblems; readonly file?: string; readonly onBytes?: (count: number) => void },
): AsyncGenerator<NdjsonRecord> {
  let exported: string | undefined;
  for await (const { number: line, text, problem: unread = 'cannot be read' } of readLines(chunks, onBytes)) {
    const at = `${file} line ${line}`.trim();
    if (exported === undefined) {
      const head = readHeader(text, unread);
      if (typeof head !== 'string') {
        for (const wrong of head) problems.add({ line, at, column: 1, ...wrong });
        throw problems.refusal();
      }
      exported = head;
    } else if (text === null) problems.add({ line, at, problem: unread });
    else if (text.trim() !== '') {
      const read = readLine(text, line);
      if ('problem' in read) problems.add({ line, at, ...read });
      else yield { line, at, exported, ...read };
    }
  }
}

/** The time of the export. A file that does not begin like an export is not read further. */
function readHeader(text: string | null, unread: string): string | readonly Wrong[] {
  const expected = 'must be {"hcd": 1, "exported": "<time>"}, the first line of an export';
  if (text?.startsWith(backupStart)) {
    return [{ problem: `${expected}; this is a backup, which hcd restore reads` }];
  }
  const given = text === null ? { problem: unread } : parse(text);
  if ('problem' in given) return [{ ...given, problem: `${expected}; ${given.problem}` }];
  const { hcd, exported, ...others } = given.value;
  if (typeof hcd === 'number' && Number.isInteger(hcd) && hcd > formatVersion) {
    return [{ problem: `hcd is ${hcd}: a later version wrote this file; this one reads ${formatVersion}` }];
  }
  if (hcd !== formatVersion || typeof exported !== 'string' || !time.test(exported)) return [{ problem: expected }];
  const unknown = Object.keys(others);
  if (unknown.length === 0) return exported;
  return unknown.map((name) => ({ problem: `${JSON.stringify(name)} is unknown`, column: columnOf(given, name) }));
}

type Wrong = Pick<Problem, 'problem' | 'column' | 'object'>;

function readLine(text: string, line: number): Omit<TransferRecord, keyof Line> | Wrong {
  const given = parse(text);
  if ('problem' in given) return given;
  const { object, record, ...others } = given.value;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) {
    const problem = `${JSON.stringify(unknown)} is unknown; a line has object and record`;
    return { column: columnOf(given, unknown), problem };
  }
  if (typeof object !== 'string') {
    return { column: columnOf(given, 'object'), problem: `object must be a name, not ${kindName(object)}` };
  }
  if (!isJsonObject(record)) {
    return { object, column: columnOf(given, 'record'), problem: `record must be an object, not ${kindName(record)}` };
  }
  const members = [...(given.names[1] ?? [])];
  const places = Object.fromEntries(members.map(([name, start]) => [name, { line, column: start + 1 }]));
  return { object, record, objectColumn: columnOf(given, 'object'), places };
}

interface Parsed {
  readonly value: JsonObject;
  /** Where the members of the line begin, and those of its record. */
  readonly names: readonly ReadonlyMap<string, number>[];
}

function columnOf({ names }: Parsed, member: string): number {
  return (names[0]?.get(member) ?? 0) + 1;
}

/** No site has more, and the memory of a hostile line stays below 400 MiB. */
const limits = { members: 100_000, values: 500_000, depth: 64 };

class NameTwice extends JsonFault {}

function parse(text: string): Parsed | Wrong {
  const names: Map<string, number>[] = [];
  const maker = makerOf(names);
  try {
    const value = new JsonReader(text, { limits, maker }).read();
    if (!isJsonObject(value)) return { column: 1, problem: `must be a JSON object, not ${kindName(value)}` };
    return { value, names };
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error;
    const { key } = maker;
    const twice = error instanceof NameTwice ? `${JSON.stringify(key)} is given twice` : null;
    const column = error.at + 1;
    return { column, problem: `column ${column}: ${twice ?? faultText(error, { text, key, limits })}` };
  }
}

/** `placed` gets where the members begin, by level; `key` is the last name. */
function makerOf(placed: Map<string, number>[]): JsonMaker<unknown> & { key: string } {
  const maker = {
    key: '',
    leaf: (value: unknown) => value,
    list: () => new Items(),
    object(_at: number, depth: number): ObjectMaker<unknown> {
      const members: [string, unknown][] = [];
      const names = new Map<string, number>();
      let name = '';
      return {
        name(next, at) {
          maker.key = next;
          if (names.has(next)) throw new NameTwice('name', at);
          names.set(next, at);
          name = next;
        },
        add: (value) => members.push([name, value]),
        done() {
          placed[depth - 1] = names;
          return Object.fromEntries(members);
        },
      };
    },
  };
  return maker;
}
