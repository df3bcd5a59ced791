/** Reads rows of one table out of a MariaDB dump, so that pure rules can be tested on real rows without a server. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fixtureDirectory } from '../../support/fixture-directory.js';

export type DumpRow = Readonly<Record<string, string | null>>;

/** The text of the fixture's dump. */
export async function readDump(): Promise<string> {
  const directory = fixtureDirectory();
  if (directory === undefined) throw new Error('no dump: wrap the group in describeWithFixtureFiles');
  return readFile(join(directory, 'modx.sql'), 'utf8');
}

/** All rows of a table, values as text. Numbers are text too. */
export function dumpRows(dump: string, table: string): DumpRow[] {
  const columns = dumpColumns(dump, table);
  const opening = `INSERT INTO \`${table}\` VALUES`;
  const rows: DumpRow[] = [];
  for (let at = dump.indexOf(opening); at >= 0; at = dump.indexOf(opening, at)) {
    at += opening.length;
    while (dump.charAt(at) !== ';') {
      const row = readRow(dump, dump.indexOf('(', at) + 1);
      if (row.values.length !== columns.length) throw new Error(`row of ${row.values.length} values in ${table}`);
      rows.push(Object.fromEntries(columns.map((column, index) => [column, row.values[index] ?? null])));
      at = row.end;
    }
  }
  return rows;
}

function dumpColumns(dump: string, table: string): string[] {
  const from = dump.indexOf(`CREATE TABLE \`${table}\` (`);
  const body = dump.slice(from, dump.indexOf('\n)', from));
  return [...body.matchAll(/^ {2}`([^`]+)`/gm)].map((match) => match[1] ?? '');
}

function readRow(dump: string, start: number): { values: (string | null)[]; end: number } {
  const values: (string | null)[] = [];
  for (let at = start; ; at += 1) {
    if (dump.charAt(at) === "'") {
      const text = readText(dump, at + 1);
      values.push(text.value);
      at = text.end;
    } else {
      const bare = /[^,)]*/y;
      bare.lastIndex = at;
      const word = bare.exec(dump)?.[0] ?? '';
      values.push(word === 'NULL' ? null : word);
      at += word.length;
    }
    if (dump.charAt(at) === ')') return { values, end: at + 1 };
  }
}

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', '0': '\0', Z: '\x1a' };

function readText(dump: string, start: number): { value: string; end: number } {
  let value = '';
  for (let at = start; ; at += 1) {
    const char = dump.charAt(at);
    if (char === '') throw new Error('text without end');
    if (char === '\\') {
      at += 1;
      value += escapes[dump.charAt(at)] ?? dump.charAt(at);
    } else if (char !== "'") {
      value += char;
    } else if (dump.charAt(at + 1) === "'") {
      value += "'";
      at += 1;
    } else {
      return { value, end: at + 1 };
    }
  }
}
