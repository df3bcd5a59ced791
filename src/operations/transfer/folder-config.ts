/** `.gitify`: the partitions of a folder, and where their files are. */

import type { Dirent } from 'node:fs';
import { lstat, readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fits, wildcards } from '../../content/reading/may-match.js';
import { AppError } from '../../errors/app-error.js';
import { codeOf } from '../../errors/disk-error.js';
import { classOf, type FolderClass, shortClass } from './folder-classes.js';
import { decodeFile, FileFault, type FileValue, failRead, isFileMap, parseYaml } from './folder-file.js';
import type { RawValues } from './members.js';
import { LineProblems, type TextPlace } from './transfer-record.js';

export interface Partition extends FolderClass {
  readonly name: string;
  readonly class: string;
  /** `CONTEXT/URI` instead of flat files. */
  readonly isTree: boolean;
  readonly primary: readonly string[];
  readonly extension: string;
  readonly excluded: ReadonlySet<string>;
  readonly excludedTvs: ReadonlySet<string>;
  readonly where: readonly Condition[];
  /** The one class of resources that it holds. */
  readonly only: string | null;
  /** Resources of one parent that files are written for. */
  readonly limit: number | null;
}

export interface FolderConfig {
  readonly root: string;
  readonly text: string;
  /** Relative to the root, without slashes at its ends. */
  readonly data: string;
  readonly partitions: readonly Partition[];
  /** Elements name their category by id. */
  readonly hasCategoryIds: boolean;
}

export const configFile = '.gitify';

/** Null without `.gitify`. Throws `refused` with its line and column. */
export async function readFolderConfig(root: string): Promise<FolderConfig | null> {
  const bytes = await readFile(join(root, configFile)).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return null;
    throw new AppError('refused', { message: `${join(root, configFile)} cannot be read`, cause: error });
  });
  if (bytes === null) return null;
  try {
    return configOf(root, decodeFile(bytes));
  } catch (error) {
    if (!(error instanceof FileFault)) throw error;
    const problems = new LineProblems();
    const { line, column } = error.place;
    problems.add({ line, column, at: `${configFile} line ${line}`, file: configFile, problem: error.message });
    throw problems.refusal();
  }
}

function configOf(root: string, text: string): FolderConfig {
  const { values, places } = parseYaml(text);
  const { data_directory: directory = '_data', data = null, category_ids_in_elements: ids = false } = values;
  const placeOf = (name: string): TextPlace => places[name] ?? { line: 1, column: 1 };
  const path = String(directory)
    .replace(/^(?:\.\/)+/, '')
    .replace(/\/{1,9}$/, '');
  if (!isInside(path)) {
    throw new FileFault('data_directory must be a folder below .gitify, such as _data/', placeOf('data_directory'));
  }
  if (!isFileMap(data)) {
    const example = 'data: {content: {type: content}}';
    throw new FileFault(`data must name the partitions, such as ${example}`, placeOf('data'));
  }
  const partitions = Object.entries(data).flatMap(([name, options]) =>
    options === null ? [] : [partitionOf(name, options, placeOf('data'))],
  );
  for (const [at, one] of partitions.entries()) {
    const other = partitions.slice(0, at).find((before) => isSameRows(one, before));
    if (other === undefined) continue;
    const problem = `data.${one.name} has the rows of data.${other.name} too: leave one out, or give both a where`;
    throw new FileFault(problem, placeOf('data'));
  }
  return { root, text, data: path, partitions, hasCategoryIds: ids === true || ids === 1 };
}

function isSameRows(one: Partition, other: Partition): boolean {
  const isOpen = one.where.length === 0 && other.where.length === 0;
  return isOpen && one.object !== '' && one.object === other.object && one.only === other.only;
}

function isInside(path: string): boolean {
  return (
    path !== '' &&
    !path.startsWith('/') &&
    !/[\\\0]/.test(path) &&
    !path.split('/').some((one) => /^\.{0,2}$/.test(one))
  );
}

function partitionOf(name: string, options: FileValue, place: TextPlace): Partition {
  const fault = (problem: string): FileFault => new FileFault(`data.${name}: ${problem}`, place);
  if (!isInside(name) || name.includes('/')) throw fault('must be the name of a folder');
  if (!isFileMap(options)) throw fault('must have a class, such as {class: modChunk, primary: name}');
  const { type, where = null, extension } = options;
  const isTree = type === 'content';
  const className = typeof options['class'] === 'string' ? options['class'] : isTree ? 'modDocument' : '';
  if (className === '') throw fault('class is required, such as modChunk, unless type is content');
  const kept = classOf(className);
  const short = shortClass(className);
  const primary = listOf(options['primary']);
  const ending = typeof extension === 'string' && extension !== '' ? extension : isTree ? '.html' : '.yaml';
  if (/[/\\\0]/.test(ending)) throw fault('extension must be like .html');
  return {
    ...{ ...kept, name, class: short, isTree },
    primary: primary.length > 0 ? primary : ['id'],
    extension: ending.startsWith('.') ? ending : `.${ending}`,
    excluded: new Set(listOf(options['exclude_keys'])),
    excludedTvs: new Set(listOf(options['exclude_tvs'])),
    where: kept.object === '' ? [] : readConditions(where, fault),
    limit: Number(options['limit_per_parent']) || null,
    only: isTree || kept.object !== 'resources' || short === 'modResource' ? null : short,
  };
}

function listOf(value: FileValue | undefined): readonly string[] {
  if (value === undefined || value === null) return [];
  return (Array.isArray(value) ? value : [value]).map(String);
}

/** Paths below the root, in the order of their names. Throws FileFault for links, which may lead out of the folder. */
export async function partitionFiles({ root, data }: FolderConfig, { name }: Partition): Promise<readonly string[]> {
  const found: string[] = [];
  const folder = join(root, data, name);
  async function walk(below: string): Promise<void> {
    const entries = await readdir(join(folder, below), { withFileTypes: true }).catch((error: unknown) => {
      if (codeOf(error) === 'ENOENT') return [];
      return failRead(error);
    });
    // Files first: the page `shop.html` is the parent of those in `shop/`, and an import has it when they come.
    const order = (one: Dirent, other: Dirent): number =>
      Number(one.isDirectory()) - Number(other.isDirectory()) || (one.name < other.name ? -1 : 1);
    for (const entry of entries.toSorted(order)) {
      const path = below === '' ? entry.name : `${below}/${entry.name}`;
      // Of editors and systems, such as .DS_Store.
      if (entry.name.startsWith('.') || entry.name.endsWith('~')) continue;
      if (entry.isDirectory()) await walk(path);
      else if (entry.isFile()) found.push(`${data}/${name}/${path}`);
      else
        throw new FileFault(
          `${path} is ${entry.isSymbolicLink() ? 'a symbolic link' : 'no file'}: put a file in its place`,
        );
    }
  }
  for (const place of [dirname(folder), folder]) {
    const known = await lstat(place).catch(() => null);
    if (known?.isSymbolicLink())
      throw new FileFault(`${basename(place)} is a symbolic link: put a folder in its place`);
  }
  await walk('');
  return found;
}

export interface Condition {
  readonly isOr: boolean;
  readonly holds: (row: RawValues) => boolean;
}

const operators: Readonly<Record<string, (stored: string, wanted: readonly string[]) => boolean>> = {
  '=': (stored, [wanted]) => stored === wanted,
  '!=': (stored, [wanted]) => stored !== wanted,
  '<>': (stored, [wanted]) => stored !== wanted,
  '>': (stored, [wanted = '']) => isMore(stored, wanted),
  '>=': (stored, [wanted = '']) => stored === wanted || isMore(stored, wanted),
  '<': (stored, [wanted = '']) => isMore(wanted, stored),
  '<=': (stored, [wanted = '']) => stored === wanted || isMore(wanted, stored),
  IN: (stored, wanted) => wanted.includes(stored),
  'NOT IN': (stored, wanted) => !wanted.includes(stored),
  // The CMS compares without case.
  LIKE: (stored, [wanted = '']) => isLike(stored, wanted),
  'NOT LIKE': (stored, [wanted = '']) => !isLike(stored, wanted),
};

/** A list of `'field:operator': value`, or a map of them; `OR:` before the field joins it to the one before. */
function readConditions(where: FileValue, fault: (problem: string) => FileFault): readonly Condition[] {
  if (where === null) return [];
  const maps = Array.isArray(where) ? where : [where];
  return maps.flatMap((map) => {
    if (!isFileMap(map)) throw fault("where must be like [{'name:NOT IN': [BaseTemplate]}]");
    return Object.entries(map).map(([text, value]) => condition(text, value, fault));
  });
}

function condition(text: string, value: FileValue, fault: (problem: string) => FileFault): Condition {
  const words = text.split(':');
  const isOr = words[0] === 'OR';
  if (isOr || words[0] === 'AND') words.shift();
  const [field = '', name = Array.isArray(value) ? 'IN' : '='] = words;
  const operator = operators[name.trim().toUpperCase()];
  if (operator === undefined) {
    throw fault(`where has the operator ${name}; known are ${Object.keys(operators).join(', ')}`);
  }
  const wanted = (Array.isArray(value) ? value : [value]).map((one) => textOf(one));
  return { isOr, holds: (row) => operator(textOf(row[field]), wanted) };
}

export function isWithin(conditions: readonly Condition[], row: RawValues): boolean {
  return conditions.reduce((all, { isOr, holds }) => (isOr ? all || holds(row) : all && holds(row)), true);
}

function textOf(value: unknown): string {
  return value === null || value === undefined ? '' : value === true ? '1' : value === false ? '0' : String(value);
}

function isMore(one: string, other: string): boolean {
  const numbers = [Number(one), Number(other)];
  return numbers.some(Number.isNaN) ? one > other : Number(one) > Number(other);
}

function isLike(stored: string, pattern: string): boolean {
  return fits([...stored.toLowerCase()], wildcards(pattern.toLowerCase()));
}
