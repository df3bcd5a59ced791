/** A file of a folder: YAML, and below a line of five dashes the long text of the record. It is written as Gitify does. */

import { readFileSync } from 'node:fs';
import {
  type ErrorCode,
  isAlias,
  isCollection,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
} from 'yaml';
import { shortDigest } from '../../crypto/primitives.js';
import type { TextPlace } from './transfer-record.js';

export type FileValue = string | number | boolean | null | readonly FileValue[] | FileMap;

export interface FileMap {
  readonly [name: string]: FileValue;
}

export interface FolderFile {
  readonly values: FileMap;
  readonly places: Readonly<Record<string, TextPlace>>;
  readonly body: string | null;
  readonly bodyLine: number;
}

export class FileFault extends Error {
  readonly place: TextPlace;

  constructor(problem: string, place: TextPlace = { line: 1, column: 1 }) {
    super(problem);
    this.place = place;
  }
}

/** Levels of lists and maps; the CMS writes four. */
const deepest = 32;
const mostBytes = 16_000_000;
const mostParts = 200_000;

/** The CMS also writes `!!float 450`. */
const float = { tag: 'tag:yaml.org,2002:float', resolve: (text: string) => (text.trim() === '' ? text : Number(text)) };

/** Throws FileFault. Of ten thousand small files a promise for each costs ten times the reading. */
export function readText(path: string): string {
  try {
    return decodeFile(readFileSync(path));
  } catch (error) {
    if (error instanceof FileFault) throw error;
    return failRead(error);
  }
}

/** Throws FileFault for what the file system refused. */
export function failRead(error: unknown): never {
  if (!(error instanceof Error && 'code' in error)) throw error;
  if (error.code === 'ENOENT') throw new FileFault('was removed while the folder was read: try again');
  if (error.code === 'ENOTDIR') throw new FileFault('is not a folder: put one in its place');
  throw new FileFault(`cannot be read (${error.code})`);
}

/** Throws FileFault. */
export function decodeFile(bytes: Uint8Array): string {
  if (bytes.length > mostBytes) throw new FileFault(`is larger than ${mostBytes} bytes`);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes).replace(/\r\n?/g, '\n');
  } catch {
    throw new FileFault('is not UTF-8 text: save it as UTF-8');
  }
}

/** Without the `excluded` values. Throws FileFault. */
export function parseFile(text: string, excluded: ReadonlySet<string>): FolderFile {
  const line = /(?<=^|\n)-----(?:\n|$)/.exec(text);
  const head = text.slice(0, line?.index);
  const body = line === null ? null : text.slice(head.length + line[0].length).replace(/^\n/, '');
  const { values: all, places } = parseYaml(head);
  const values = Object.fromEntries(Object.entries(all).filter(([name]) => !excluded.has(name)));
  return { values, places, body, bodyLine: head.split('\n').length + 2 };
}

/** Throws FileFault with line and column. */
export function parseYaml(text: string): Pick<FolderFile, 'values' | 'places'> {
  const lines = new LineCounter();
  const placeAt = (offset: number): TextPlace => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
  checkSize(text);
  // The check of the parser compares each name with all others.
  const options = { prettyErrors: false, stringKeys: true, uniqueKeys: false } as const;
  const document = parseDocument(text, { ...options, lineCounter: lines, customTags: [float] });
  const [fault = document.warnings[0]] = document.errors;
  if (fault !== undefined) {
    const open = isOfEnd.has(fault.code) ? openBefore(document.contents, fault.pos[0]) : null;
    const problem = plain[open === null ? fault.code : 'MISSING_CHAR'] ?? fault.message;
    throw new FileFault(`is not YAML: ${problem}`, placeAt(open ?? fault.pos[0]));
  }
  const { contents } = document;
  if (contents === null) return { values: {}, places: {} };
  if (!isMap(contents)) throw new FileFault('must begin with members, such as "name: value"');
  const keys = contents.items.flatMap(({ key }) => (isScalar(key) ? [key] : []));
  const places = Object.fromEntries(keys.map((key) => [String(key.value), placeAt(key.range?.[0] ?? 0)]));
  const values = jsOf(contents, placeAt, 0);
  return { values: isFileMap(values) ? values : {}, places };
}

const isOfEnd: ReadonlySet<ErrorCode> = new Set(['BAD_INDENT', 'MISSING_CHAR']);

/** Where the member begins whose bracket or quote is not closed: the parser names what follows it. */
function openBefore(contents: unknown, at: number): number | null {
  for (const { key, value } of isMap(contents) ? contents.items : []) {
    const isOpen = (isCollection(value) && value.flow) || (isScalar(value) && value.type?.startsWith('QUOTE'));
    if (isOpen && value.range?.[1] === at && isScalar(key)) return key.range?.[0] ?? 0;
  }
  return null;
}

/** What the codes of the parser mean to the author of the file. */
const plain: Readonly<Partial<Record<ErrorCode, string>>> = {
  BAD_DQ_ESCAPE: 'the text in double quotes has an unknown escape: use single quotes',
  BAD_INDENT: 'the indentation does not match the lines above',
  BAD_SCALAR_START: 'put the value in quotes: it begins with a character that YAML reserves',
  BLOCK_AS_IMPLICIT_KEY: 'put the value in quotes: it contains a colon followed by a space',
  MISSING_CHAR: 'a closing quote or bracket, or a colon after a name, is missing',
  MULTILINE_IMPLICIT_KEY: 'the line is not like "name: value"; long text goes below a line of -----',
  MULTIPLE_DOCS: 'the line of three dashes begins a second document: leave it out',
  TAB_AS_INDENT: 'indent with spaces instead of tabs',
  TAG_RESOLVE_FAILED: 'the value has an unknown tag: leave the word that begins with ! out',
  UNEXPECTED_TOKEN: 'put the value in quotes: a character does not belong here',
};

/** The parser is recursive, and keeps much of each value: brackets must not fill the stack, nor commas the memory. */
function checkSize(text: string): void {
  let parts = 0;
  for (const line of text.split('\n')) {
    const [quote] = /(?<=[:-] )["']/.exec(line) ?? [];
    // Commas in a quoted text are no parts.
    parts += quote !== undefined && line.endsWith(quote) ? 1 : line.split(',', mostParts + 2).length;
  }
  if (parts > mostParts) throw new FileFault(`has more than ${mostParts} lines and commas above its line of dashes`);
  const fault = /(?:[[{]\s*){33}|^(?:[-?] ){33}/m.exec(text);
  if (fault === null) return;
  const before = text.slice(0, fault.index).split('\n');
  throw new FileFault(`has more than ${deepest} levels`, {
    line: before.length,
    column: (before.at(-1)?.length ?? 0) + 1,
  });
}

export function isFileMap(value: FileValue | undefined): value is FileMap {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function jsOf(node: Node | null, placeAt: (offset: number) => TextPlace, depth: number): FileValue {
  if (node === null) return null;
  const place = placeAt(node.range?.[0] ?? 0);
  // What a few lines repeat a billion times must not fill the memory; the CMS writes no anchors.
  if (isAlias(node)) throw new FileFault('aliases of YAML are not read: write the value again', place);
  if (depth > deepest) throw new FileFault(`has more than ${deepest} levels`, place);
  if (isScalar(node)) {
    const { value, source, tag } = node;
    if (typeof value === 'number' && tag === undefined && String(value) !== source) return source ?? value;
    if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
    return typeof value === 'number' ? value : String(value);
  }
  if (isSeq(node)) return node.items.map((item) => jsOf(item as Node | null, placeAt, depth + 1));
  if (!isMap(node)) return null;
  const members = new Map<string, FileValue>();
  for (const { key, value } of node.items) {
    if (!isScalar(key)) continue;
    const name = String(key.value);
    if (members.has(name)) throw new FileFault(`has ${name} twice`, placeAt(key.range?.[0] ?? 0));
    members.set(name, jsOf(value as Node | null, placeAt, depth + 1));
  }
  return Object.fromEntries(members);
}

export type Written = string | number | null | readonly string[] | Readonly<Record<string, string>>;

export const separator = '-----';

export function fileText(values: ReadonlyMap<string, Written>, body: string): string {
  const head = [...values].map(([name, value]) => memberText(name, value)).join('');
  return body === '' ? head : `${head}\n${separator}\n\n${body}`;
}

export function memberText(name: string, value: Written): string {
  if (Array.isArray(value)) return `${scalar(name)}: [${value.map(scalar).join(', ')}]\n`;
  if (typeof value !== 'object' || value === null) return `${scalar(name)}: ${scalar(value)}\n`;
  const members = Object.entries(value).map(([key, text]) => `    ${scalar(key)}: ${scalar(text)}\n`);
  return members.length === 0 ? `${scalar(name)}: {  }\n` : `${scalar(name)}:\n${members.join('')}`;
}

const words = new Set(['', 'null', '~', 'true', 'false', 'y', 'n', 'yes', 'no', 'on', 'off']);
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what double quotes are for.
const controls = /[\0-\x1f\x7f\x85\xa0\u2028\u2029\ufeff]/;
const special = /[\s'":{}[\],&*#?]|^[-?|<>=!%@`\p{Zs}]/u;
const numeric = /^[-+.]?\d|^[-+]?\.(?:inf|nan)$/i;

function scalar(value: string | number | null): string {
  if (value === null) return 'null';
  if (typeof value === 'number') return String(value);
  if (controls.test(value)) return JSON.stringify(value).replace(/[\x7f\x85\xa0\u2028\u2029\ufeff]/g, escaped);
  if (words.has(value.toLowerCase()) || special.test(value) || numeric.test(value)) {
    return `'${value.replaceAll("'", "''")}'`;
  }
  return value;
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

const longestName = 200;
/** Windows keeps them for devices, with any extension. */
export const reserved = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/** As file systems compare that fold case and forms of accents. */
export function folded(path: string): string {
  return path.normalize('NFC').toLowerCase();
}

/** A name that every file system takes: no path, no reserved character, not too long. */
export function fileName(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: no file system takes them.
  const name = text.normalize('NFC').replace(/[\s/\\<>:"|?*\0-\x1f\x7f]+/g, '-');
  const trimmed = name.replace(/^[-.]{1,99}/, '').replace(/-{2,99}/g, '-');
  const bytes = Buffer.from(trimmed === '' ? `-${shortDigest(text)}` : trimmed);
  if (bytes.length <= longestName) return reserved.test(trimmed) ? `_${trimmed}` : bytes.toString();
  const cut = bytes
    .subarray(0, longestName - 20)
    .toString()
    .replace(/\ufffd$/, '');
  return `${cut}-${shortDigest(text).slice(0, 12).replace(/[^\w]/g, '_')}`;
}
