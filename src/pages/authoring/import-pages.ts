/** Imports pages batch by batch, in bounded memory. A refused line does not stop the others. */
import { isUtf8 } from 'node:buffer';
import { isJsonObject, kindName, memberOf, parseJson } from '../../values/json.js';
import type { SectionTypes } from '../rules/section-type.js';
import {
  type BatchReport,
  type ImportLine,
  importBatch,
  type LineRefusal,
  type Rehearsed,
  rehearseBatch,
  type TargetedLine,
} from './import-batch.js';
import { findPageResources, placeKey, type ResourcePlace, readPageResources } from './page-resources.js';
import { loadSectionTypes } from './section-types.js';
import type { PageAuthoring } from './write-page.js';

export interface InputLine {
  readonly number: number;
  readonly text: string | null;
  readonly problem?: string;
}

export interface ImportReport extends BatchReport {
  readonly lines: number;
  /** Too many lines were refused: the rest was not read. */
  readonly isCutShort: boolean;
}

const most = { lines: 100, characters: 4_000_000 };
/** With this many refused lines, the file as a whole is wrong. */
const mostRefused = 100;

/** Section types are read once, at the start. `onBatch` is called after each batch. */
export async function importPages(
  authoring: PageAuthoring,
  asked: { readonly lines: AsyncIterable<InputLine>; readonly dryRun: boolean; readonly onBatch: () => void },
): Promise<ImportReport> {
  const { lines, dryRun, onBatch } = asked;
  const types = await loadSectionTypes(authoring.store.own.primary);
  const sum = { lines: 0, saved: 0, published: 0, unchanged: 0 };
  const refused: LineRefusal[] = [];
  const rehearsed: Rehearsed = new Map();
  for await (const batch of batchesOf(lines)) {
    const report = await takeIn(authoring, { batch, types, rehearsed: dryRun ? rehearsed : null });
    sum.lines += batch.length;
    sum.saved += report.saved;
    sum.published += report.published;
    sum.unchanged += report.unchanged;
    refused.push(...report.refused);
    onBatch();
    if (refused.length >= mostRefused) break;
  }
  if (sum.published > 0 && !dryRun) await authoring.tellReaders();
  return { ...sum, refused: refused.slice(0, mostRefused), isCutShort: refused.length >= mostRefused };
}

async function takeIn(
  authoring: PageAuthoring,
  asked: {
    readonly batch: readonly InputLine[];
    readonly types: SectionTypes;
    readonly rehearsed: Rehearsed | null;
  },
): Promise<BatchReport> {
  const { batch, types, rehearsed } = asked;
  const read = await withResources(authoring, batch.map(readImportLine));
  const lines = read.filter((line) => 'about' in line);
  const report =
    rehearsed === null
      ? await importBatch(authoring, { lines, types })
      : await rehearseBatch(authoring, { lines, types, rehearsed });
  const refused = [...read.filter((line) => 'problems' in line), ...report.refused];
  return { ...report, refused: refused.sort((left, right) => left.line - right.line) };
}

async function withResources(
  { store }: PageAuthoring,
  read: readonly (ImportLine | LineRefusal)[],
): Promise<readonly (TargetedLine | LineRefusal)[]> {
  const targets = read.flatMap((line) => ('target' in line ? [line.target] : []));
  const ids = targets.filter((target) => typeof target === 'number');
  const places = targets.filter((target) => typeof target === 'object');
  const [byId, byPlace] = [await readPageResources(store, ids), await findPageResources(store, places)];
  return read.map((line) => {
    if (!('target' in line)) return line;
    const { number, target } = line;
    const about = typeof target === 'number' ? byId.get(target) : byPlace.get(placeKey(target));
    return about ? { line, about } : { line: number, problems: [`there is no ${targetName(target)}`] };
  });
}

async function* batchesOf(lines: AsyncIterable<InputLine>): AsyncGenerator<readonly InputLine[]> {
  let batch: InputLine[] = [];
  let characters = 0;
  for await (const line of lines) {
    if (line.text?.trim() === '') continue;
    batch.push(line);
    characters += line.text?.length ?? 0;
    if (batch.length < most.lines && characters < most.characters) continue;
    yield batch;
    batch = [];
    characters = 0;
  }
  if (batch.length > 0) yield batch;
}

const words = ['resource', 'document', 'publish'];
const highestId = 2 ** 32 - 1;

function readImportLine({ number, text, problem }: InputLine): ImportLine | LineRefusal {
  if (text === null) return { line: number, problems: [problem ?? 'cannot be read'] };
  const given = parseJson(text);
  if (!isJsonObject(given)) {
    const kind = given === undefined ? 'text in another form' : kindName(given);
    return { line: number, problems: [`must be a JSON object with resource and document, not ${kind}`] };
  }
  const problems = Object.keys(given)
    .filter((name) => !words.includes(name))
    .map((name) => `${JSON.stringify(name)} is unknown; known are ${words.join(', ')}`);
  const target = readTarget(memberOf(given, 'resource'));
  if (target === null) problems.push('resource must be an id, or {"context": "web", "uri": "about.html"}');
  if (!Object.hasOwn(given, 'document')) problems.push('document is missing');
  const publish = memberOf(given, 'publish') ?? false;
  if (typeof publish !== 'boolean') problems.push(`publish must be true or false, not ${kindName(publish)}`);
  if (problems.length > 0 || target === null) return { line: number, problems };
  return { number, target, document: memberOf(given, 'document'), publish: publish === true };
}

function targetName(target: ImportLine['target']): string {
  return typeof target === 'number'
    ? `resource ${target}`
    : `resource with the URI ${JSON.stringify(target.uri)} in ${target.context}`;
}

function readTarget(given: unknown): number | ResourcePlace | null {
  if (typeof given === 'number') return Number.isInteger(given) && given >= 1 && given <= highestId ? given : null;
  if (!isJsonObject(given) || Object.keys(given).some((name) => name !== 'context' && name !== 'uri')) return null;
  const [context, uri] = [memberOf(given, 'context'), memberOf(given, 'uri')];
  if (typeof context !== 'string' || typeof uri !== 'string') return null;
  return { context, uri };
}

/** A document may have two million characters, and a character up to six bytes as `\u00e4`. */
export const mostBytes = 16_000_000;
const lineFeed = 0x0a;

/** Lines counted from 1, without their ends; `onBytes` gets the number of bytes read. */
export async function* readLines(
  chunks: AsyncIterable<Buffer>,
  onBytes: (count: number) => void,
): AsyncGenerator<InputLine> {
  let number = 1;
  let line = new LineBytes();
  for await (const chunk of chunks) {
    onBytes(chunk.length);
    let from = 0;
    for (let end = chunk.indexOf(lineFeed); end >= 0; end = chunk.indexOf(lineFeed, from)) {
      line.add(chunk.subarray(from, end));
      yield line.end(number);
      number += 1;
      line = new LineBytes();
      from = end + 1;
    }
    line.add(chunk.subarray(from));
  }
  yield line.end(number);
}

class LineBytes {
  readonly #parts: Uint8Array[] = [];
  #length = 0;

  add(part: Uint8Array): void {
    this.#length += part.length;
    if (this.#length <= mostBytes) this.#parts.push(part);
    else this.#parts.length = 0;
  }

  end(number: number): InputLine {
    if (this.#length > mostBytes) return { number, text: null, problem: `is longer than ${mostBytes} bytes` };
    const bytes = Buffer.concat(this.#parts);
    if (isUtf8(bytes)) return { number, text: new TextDecoder().decode(bytes) };
    return { number, text: null, problem: `is not UTF-8 text: byte ${wrongByte(bytes)} of the line is wrong` };
  }
}

/** From 1. */
function wrongByte(bytes: Buffer): number {
  const readable = Buffer.from(bytes.toString('utf8'));
  const at = bytes.findIndex((byte, index) => byte !== readable[index]);
  return (at < 0 ? bytes.length : at) + 1;
}
