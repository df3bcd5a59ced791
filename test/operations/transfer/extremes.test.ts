/** Whatever a column holds: the file that an export writes is imported, and its content comes back the same. */
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { AppError } from '../../../src/errors/app-error.js';
import { elementKinds } from '../../../src/operations/transfer/element-kinds.js';
import type { RecordKind } from '../../../src/operations/transfer/kind.js';
import { resourceKinds } from '../../../src/operations/transfer/resource-kinds.js';
import type { Column, Tables } from '../../../src/store/base/columns.js';
import type { Param } from '../../../src/store/base/database.js';
import type { Store } from '../../../src/store/open/open.js';
import { describeWithMariadb, freshMariadbUrl, freshSqliteUrl } from '../../support/databases.js';
import { type Row, seed } from '../../support/seed.js';
import { exportText, importText, migratedStore } from './transfer-store.js';

const { settings: _settings, ...exported } = elementKinds;
const kinds: readonly RecordKind[] = Object.values({ ...exported, ...resourceKinds });

/** What a column can hold at most; `fits` cuts texts to its length. */
function extremes(column: Column): readonly Param[] {
  const most = Math.min(column.maxLength ?? 70_000, column.maxBytes ?? 70_000);
  const long = (letter: string): string => {
    const letters = column.maxLength === null ? Math.floor(most / Buffer.byteLength(letter)) : most;
    return letter.repeat(letters);
  };
  const none: readonly Param[] = column.nullable ? [null] : [];
  switch (column.type) {
    case 'integer': {
      const [least, largest] = column.range ?? [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER];
      return [...none, least, -1, 0, 1, largest].filter((value) => value === null || Number(value) >= least);
    }
    case 'number':
      return [...none, -1.5, 0, 1e15];
    case 'datetime':
      return [...none, '1970-01-02 00:00:00', '9999-12-31 23:59:59'];
    default: {
      const controls = '\u0000\u0001\t\n\r\u001b\u007f\u0085\u2028';
      const texts = [
        '',
        ' ',
        '0',
        controls,
        '{"a":[null,1.5,"\\u0000"]}',
        'a:1:{i:0;O:1:"x":0:{}}',
        '[[~1]] [[~:a:b]]',
        '"\\\'`',
      ];
      return [
        ...none,
        ...texts.map((text) => text.slice(0, most)),
        long('a'),
        long('\u{1f600}').slice(0, most),
        long('ß'),
      ];
    }
  }
}

describeWithMariadb('every column of what is exported', () => {
  const stores: Store[] = [];
  const fresh = async (url: Promise<string>): Promise<Store> => {
    const store = await migratedStore(await url);
    stores.push(store);
    return store;
  };
  // SQLite declares fewer limits: what both must keep is what the columns of MariaDB hold.
  let tables: Tables;
  beforeAll(async () => {
    tables = (await fresh(freshMariadbUrl())).tables;
  });
  afterAll(() => Promise.all(stores.map((store) => store.close())));

  const databases = { sqlite: freshSqliteUrl, mariadb: freshMariadbUrl };
  const cases = kinds.flatMap((kind) =>
    (['sqlite', 'mariadb'] as const).map((name) => [kind.table, name, kind] as const),
  );

  it.each(cases)('of %s comes back with its extreme values (%s)', async (table, name, kind) => {
    const [site, other] = [await fresh(databases[name]()), await fresh(databases[name]())];
    const columns = tables.get(`modx_${table}`)?.columns ?? new Map<string, Column>();
    const base = baseRow(kind, columns);
    let id = 100;
    const skipped: string[] = [];
    for (const column of new Set(Object.values(kind.members).map((member) => member.column))) {
      const known = columns.get(column);
      for (const value of known === undefined ? [] : extremes(known)) {
        id += 1;
        await seed(site, { [table]: [{ ...base(id), [column]: value }] }).catch((error: Error) =>
          skipped.push(`${column} ${String(value).slice(0, 30)} ${String(error.cause).slice(0, 100)}`),
        );
      }
    }
    const text = await exportText(site);
    const lines = text.split('\n').slice(1, -1);
    const unchanged = { created: 0, updated: 0, unchanged: lines.length, skipped: 0 };
    expect(await short(importText(site, text))).toEqual(unchanged);
    await short(importText(other, text));
    expect(await short(importText(other, text))).toEqual(unchanged);
    // References to what does not exist were left out.
    const back = (await exportText(other)).split('\n').slice(1, -1);
    const differing = lines.filter((line, at) => !isPart(JSON.parse(line).record, JSON.parse(back[at] ?? '{}').record));
    expect(differing.map((line) => line.slice(0, 200))).toEqual([]);
    expect(skipped).toEqual([]);
  });
});

function isPart(part: Record<string, unknown>, whole: Record<string, unknown> = {}): boolean {
  return Object.entries(part).every(([name, value]) => isDeepStrictEqual(value, whole[name]));
}

/** The first characters of each problem: texts are long. */
function short<T>(work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    if (!(error instanceof AppError)) throw error;
    const fields = Object.entries(error.details.fields ?? {}).map(
      ([at, texts]) => `${at} ${texts.join().slice(0, 200)}`,
    );
    throw new Error(
      [error.message.slice(0, 200), String(error.cause).slice(0, 200), ...fields.slice(0, 12)].join('\n'),
    );
  });
}

/** A row of its own for each id: keys are names, and what else must be given. */
function baseRow(kind: RecordKind, columns: ReadonlyMap<string, Column>): (id: number) => Row {
  return (id) => {
    const row: Record<string, Param> = {};
    for (const { name, isOptional, isCounted, type } of columns.values()) {
      if (isCounted) row[name] = id;
      else if (!isOptional) row[name] = type === 'text' ? '' : 0;
    }
    for (const name of kind.key) {
      const column = kind.members[name]?.column ?? '';
      if (columns.get(column)?.type === 'text') row[column] = column.includes('context') ? 'web' : `n${id}`;
    }
    return row;
  };
}
