/** Reads the lines of an export: a first line that says what the file is, then one record of an object on each line. */

import { AppError } from '../../errors/app-error.js';
import { readLines } from '../../pages/authoring/import-pages.js';
import { isJsonObject, type JsonObject, kindName } from '../../values/json.js';
import { readJsonTree } from '../../values/json-tree.js';

/** `{"object": "chunks", "record": {…}}`. */
export interface TransferRecord {
  /** Its place, for messages: `line 12`, with the name of the file where there are several. */
  readonly at: string;
  readonly object: string;
  readonly record: JsonObject;
  /** When the file was written, of its first line: ISO 8601. */
  readonly exported: string;
}

const formatVersion = 1;
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

/**
 * The records of a file as they come, in the memory of one line. Lines that hold none are added to the problems. Throws
 * `refused` when the first line is not that of an export.
 */
export async function* readRecords(
  chunks: AsyncIterable<Buffer>,
  { problems, file = '' }: { readonly problems: Problems; readonly file?: string },
): AsyncGenerator<TransferRecord> {
  let exported: string | undefined;
  for await (const { number, text, problem } of readLines(chunks, () => undefined)) {
    const at = `${file} line ${number}`.trim();
    if (exported === undefined) exported = readHeader(text ?? '', at);
    else if (text === null) problems.add(at, problem ?? 'cannot be read');
    else if (text.trim() !== '') {
      const read = readLine(text);
      if (typeof read === 'string') problems.add(at, read);
      else yield { at, ...read, exported };
    }
  }
}

/** The time of the export. A file that does not begin like an export is not read further. */
function readHeader(text: string, at: string): string {
  const problems = new Problems();
  const expected = 'must be {"hcd": 1, "exported": "<time>"}, the first line of an export';
  const given = parse(text);
  const { hcd, exported, ...others } = typeof given === 'string' ? {} : given;
  if (typeof given === 'string') problems.add(at, `${expected}; ${given}`);
  else if (typeof hcd === 'number' && Number.isInteger(hcd) && hcd > formatVersion) {
    problems.add(at, `hcd is ${hcd}: a later version wrote this file; this one reads ${formatVersion}`);
  } else if (hcd !== formatVersion || typeof exported !== 'string' || !time.test(exported)) problems.add(at, expected);
  else {
    for (const name of Object.keys(others)) problems.add(at, `${JSON.stringify(name)} is unknown`);
    problems.refuseAny();
    return exported;
  }
  throw problems.refusal();
}

/** The object and its record, or what is wrong with the line. */
function readLine(text: string): Omit<TransferRecord, 'at' | 'exported'> | string {
  const given = parse(text);
  if (typeof given === 'string') return given;
  const { object, record, ...others } = given;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) return `${JSON.stringify(unknown)} is unknown; a line has object and record`;
  if (typeof object !== 'string') return `object must be a name, not ${kindName(object)}`;
  if (!isJsonObject(record)) return `record must be an object, not ${kindName(record)}`;
  return { object, record };
}

function parse(text: string): JsonObject | string {
  try {
    const given: unknown = JSON.parse(text);
    return isJsonObject(given) ? given : `must be a JSON object, not ${kindName(given)}`;
  } catch {
    // JSON.parse does not say where.
    const [first] = readJsonTree(text, '').problems;
    return first ? `column ${first.column}: ${first.message}` : 'is not JSON';
  }
}

/** Each problem of a refused value, after the name of its field. Throws other errors again. */
export function fieldProblems(error: unknown): readonly string[] {
  if (!(error instanceof AppError) || error.code !== 'validation_failed' || !error.details.fields) throw error;
  return listProblems(error.details.fields);
}

export function listProblems(fields: Readonly<Record<string, readonly string[]>>): string[] {
  return Object.entries(fields).flatMap(([name, problems]) => problems.map((problem) => `${name}: ${problem}`));
}

/** Wrong lines after which something else is wrong than single lines. */
const mostLines = 100;

export class Problems {
  readonly #lines = new Map<string, string[]>();

  /** `at` is the line, as `line 12`. Throws `refused` when there are too many. */
  add(at: string, problem: string): void {
    const known = this.#lines.get(at);
    if (known) known.push(problem);
    else this.#lines.set(at, [problem]);
    if (this.#lines.size >= mostLines) throw this.refusal();
  }

  refuseAny(): void {
    if (this.#lines.size > 0) throw this.refusal();
  }

  refusal(): AppError {
    const [first] = this.#lines;
    const [at = '', [problem = ''] = []] = first ?? [];
    const more = this.#lines.size > 1 ? `; ${this.#lines.size} lines are wrong in all` : '';
    return new AppError('refused', {
      message: `${at}: ${problem}${more}`,
      details: { fields: Object.fromEntries(this.#lines) },
    });
  }
}
