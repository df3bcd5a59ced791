/** The SQLite file inside a backup, while it is not sealed: where it is, and what it may contain. */
import { lstat, mkdir, mkdtemp, open, readdir, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { parseDatabaseUrl } from '../../config/address-values.js';
import { AppError } from '../../errors/app-error.js';
import type { Reader } from '../../store/base/database.js';
import { dialectOf } from '../../store/base/dialect.js';
import { readShapes } from '../copy-tables/read-shapes.js';
import type { TableShape } from '../copy-tables/table-shape.js';
import { fileFault, isRunning } from './backup-file.js';
import type { Bytes } from './container.js';

/** In a folder that only this user can read: next to a SQLite database, which has the same rows, else in TMPDIR. */
export async function withStoreFile<T>(databaseUrl: string, work: (path: string) => Promise<T>): Promise<T> {
  const address = parseDatabaseUrl(databaseUrl);
  const parent = address.dialect === 'sqlite' ? dirname(resolve(address.path)) : tmpdir();
  await removeLeftFolders(parent);
  let folder: string;
  try {
    await mkdir(parent, { recursive: true });
    folder = await mkdtemp(join(parent, `hcd-backup-${process.pid}-`));
  } catch (error) {
    throw fileFault(error, { path: parent, verb: 'written' });
  }
  try {
    return await work(join(folder, 'store.sqlite'));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function removeLeftFolders(parent: string): Promise<void> {
  for (const name of await readdir(parent).catch(() => [])) {
    const writer = /^hcd-backup-(\d+)-\w{6}$/.exec(name)?.[1];
    if (writer === undefined || isRunning(Number(writer))) continue;
    const path = join(parent, name);
    const found = await lstat(path).catch(() => null);
    // In a folder that all share, another user can make one of this name.
    if (found?.isDirectory() !== true || found.uid !== process.getuid?.()) continue;
    await rm(path, { recursive: true, force: true }).catch(() => undefined);
  }
}

const magic = 'SQLite format 3\0';
const headerBytes = 100;

/** Stops at the size that the header of the file announces, and refuses a size for which the disk has no room. */
export async function writeStoreFile(path: string, content: Bytes): Promise<void> {
  let size: number | undefined;
  let written = 0;
  let start = Buffer.alloc(0);
  try {
    const file = await open(path, 'wx', 0o600);
    try {
      for await (const chunk of content) {
        if (size === undefined) start = Buffer.concat([start, chunk]);
        if (size === undefined && start.length >= headerBytes) size = await sizeIn(start, path);
        written += chunk.length;
        if (size !== undefined && written > size) break;
        await file.writeFile(chunk);
      }
    } finally {
      await file.close();
    }
  } catch (error) {
    throw fileFault(error, { path, verb: 'written' });
  }
  if (written !== size) throw new AppError('backup_invalid', { message: notAStore });
}

const notAStore = 'The backup does not contain a store';

async function sizeIn(header: Buffer, path: string): Promise<number> {
  if (header.toString('latin1', 0, magic.length) !== magic) {
    throw new AppError('backup_invalid', { message: notAStore });
  }
  const pageSize = header.readUInt16BE(16);
  const size = (pageSize === 1 ? 65_536 : pageSize) * header.readUInt32BE(28);
  const { bavail, bsize } = await statfs(dirname(path));
  if (size <= bavail * bsize) return size;
  throw new AppError('refused', {
    message: `The store in the backup has ${size} bytes, and ${dirname(dirname(path))} has room for ${bavail * bsize}`,
  });
}

/** Larger rows would fill the memory. */
const largestRow = 64 * 1024 * 1024;

/** What keeps the file from being restored. Checked before anything in it is evaluated; nothing in it is ever run. */
export async function problemOf(file: Reader): Promise<string | undefined> {
  const active = "SELECT type, name FROM sqlite_schema WHERE type NOT IN ('table', 'index') OR NOT rootpage > 0";
  const [found] = await file.select({ sql: active, params: [] });
  if (found !== undefined) return `it has the ${found[0]} ${found[1]}, which is not a plain table`;
  const counters =
    "SELECT m.name FROM sqlite_schema AS m WHERE m.name = 'sqlite_sequence' AND EXISTS (SELECT 1 FROM sqlite_sequence WHERE typeof(seq) <> 'integer' OR seq < 0)";
  const hasCounters = "SELECT 1 FROM sqlite_schema WHERE name = 'sqlite_sequence'";
  if ((await file.select({ sql: hasCounters, params: [] })).length > 0) {
    if ((await file.select({ sql: counters, params: [] })).length > 0) return 'the next id of a table is not a number';
  }
  for (const shape of (await readShapes(file, '')).values()) {
    const problem = problemOfShape(shape) ?? (await problemOfRows(file, shape));
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function problemOfShape({ name, columns, indexes, specialIndexes }: TableShape): string | undefined {
  const names = [name, ...columns.keys(), ...indexes.map((index) => index.name)];
  if (!names.every((one) => /^\P{Cc}{1,150}$/u.test(one))) return `a name in the table ${name} is not accepted`;
  if (specialIndexes.length > 0) return `the index ${specialIndexes[0]} of the table ${name} is not one of columns`;
  for (const column of columns.values()) {
    if (column.computed) return `the column ${column.name} of the table ${name} is computed`;
    if (!isType(column.declared)) return `the type of the column ${column.name} of the table ${name} is not accepted`;
  }
  return undefined;
}

async function problemOfRows(file: Reader, { name, columns }: TableShape): Promise<string | undefined> {
  const { quote } = dialectOf('sqlite');
  // SQLite gets the length of a value without reading the value.
  const size = [...columns.keys()].map((column) => `COALESCE(octet_length(${quote(column)}), 0)`).join(' + ');
  const sql = `SELECT 1 FROM ${quote(name)} WHERE ${size} > ? LIMIT 1`;
  if ((await file.select({ sql, params: [largestRow] })).length === 0) return undefined;
  return `a row of the table ${name} is larger than ${largestRow / 1024 / 1024} MiB, which is the limit of a backup`;
}

/** Words of column types in both databases; the last lines are of other programs that write to SQLite. */
const typeWords: ReadonlySet<string> = new Set(
  `tinyint smallint mediumint int integer bigint int1 int2 int3 int4 int8 year bit bool boolean decimal decimaltext dec
  numeric fixed float float4 float8 double precision real char character varchar nchar nvarchar varcharacter national
  varying tinytext text mediumtext longtext tinyblob blob mediumblob longblob binary varbinary date time datetime
  timestamp json uuid inet4 inet6 xmltype vector geometry point linestring polygon multipoint multilinestring
  multipolygon geometrycollection unsigned signed zerofill native tiny small medium big
  clob nclob string number money guid any none`.split(/\s+/),
);
const longestType = 20_000;

/** Types become SQL as they are, so only known words, sizes and enumerations are accepted. */
export function isType(text: string): boolean {
  if (text.length > longestType) return false;
  if (/^(enum|set)\('(?:[^'\\]|''|\\[\\nr0])*'(?:,'(?:[^'\\]|''|\\[\\nr0])*')*\)$/i.test(text)) return true;
  const plain = text.replace(/ \/\* mariadb-5\.3 \*\/$/, '');
  if (!/^[a-z0-9_ ]*(?:\( *\d+ *(?:, *\d+ *)?\)[a-z0-9_ ]*)?$/.test(plain)) return false;
  const words = plain.match(/[a-z_][a-z0-9_]*/g) ?? [];
  return words.every((word) => typeWords.has(word));
}
