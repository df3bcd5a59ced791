/** The rows of the sample site refer to one another, and are the same in every database. */
import { describe, expect, test } from 'vitest';
import { loadSample, sampleSize } from '../../src/operations/sample/load-sample.js';
import { describeEachDatabase } from '../support/databases.js';
import { openMigrated } from '../support/migrate.js';
import { patientLimits } from '../support/patient-limits.js';
import { loadedStore, type Row, readRows, resources, rowsOf, tables } from './sample-rows.js';

describe('the rows', () => {
  const references: readonly [table: string, column: string, target: string, targetColumn: string][] = [
    ['site_content', 'parent', 'site_content', 'id'],
    ['site_content', 'template', 'site_templates', 'id'],
    ['site_content', 'content_type', 'content_type', 'id'],
    ['site_content', 'context_key', 'context', 'key'],
    ['site_content', 'createdby', 'users', 'id'],
    ['site_content', 'editedby', 'users', 'id'],
    ['site_content', 'publishedby', 'users', 'id'],
    ['site_content', 'deletedby', 'users', 'id'],
    ['context_resource', 'resource', 'site_content', 'id'],
    ['context_resource', 'context_key', 'context', 'key'],
    ['site_tmplvar_contentvalues', 'contentid', 'site_content', 'id'],
    ['site_tmplvar_contentvalues', 'tmplvarid', 'site_tmplvars', 'id'],
    ['site_tmplvar_templates', 'tmplvarid', 'site_tmplvars', 'id'],
    ['site_tmplvar_templates', 'templateid', 'site_templates', 'id'],
    ['site_tmplvar_access', 'tmplvarid', 'site_tmplvars', 'id'],
    ['site_tmplvar_access', 'documentgroup', 'documentgroup_names', 'id'],
    ['site_tmplvars', 'category', 'categories', 'id'],
    ['site_templates', 'category', 'categories', 'id'],
    ['site_htmlsnippets', 'category', 'categories', 'id'],
    ['site_snippets', 'category', 'categories', 'id'],
    ['categories', 'parent', 'categories', 'id'],
    ['media_sources_elements', 'source', 'media_sources', 'id'],
    ['media_sources_elements', 'object', 'site_tmplvars', 'id'],
    ['media_sources_elements', 'context_key', 'context', 'key'],
    ['user_attributes', 'internalKey', 'users', 'id'],
    ['users', 'primary_group', 'membergroup_names', 'id'],
    ['member_groups', 'member', 'users', 'id'],
    ['member_groups', 'user_group', 'membergroup_names', 'id'],
    ['member_groups', 'role', 'user_group_roles', 'id'],
    ['user_settings', 'user', 'users', 'id'],
    ['user_group_settings', 'group', 'membergroup_names', 'id'],
    ['document_groups', 'document', 'site_content', 'id'],
    ['document_groups', 'document_group', 'documentgroup_names', 'id'],
    ['access_context', 'target', 'context', 'key'],
    ['access_context', 'principal', 'membergroup_names', 'id'],
    ['access_context', 'policy', 'access_policies', 'id'],
    ['access_resource_groups', 'target', 'documentgroup_names', 'id'],
    ['access_resource_groups', 'principal', 'membergroup_names', 'id'],
    ['access_resource_groups', 'policy', 'access_policies', 'id'],
    ['context_setting', 'context_key', 'context', 'key'],
  ];

  test.each(references)('%s.%s names a row of %s', (table, column, target, targetColumn) => {
    const known = new Set(rowsOf(target).map((row) => String(row[targetColumn])));
    const dangling = rowsOf(table).flatMap((row) => {
      const value = row[column] ?? null;
      return value === 0 || known.has(String(value)) ? [] : [value];
    });
    expect(rowsOf(table).length).toBeGreaterThan(0);
    expect(dangling).toEqual([]);
  });

  test('that name pages in settings and values do so by an id that exists', () => {
    const ids = new Set(resources.map((row) => String(row['id'])));
    const named = ['site_start', 'error_page', 'unauthorized_page', 'site_unavailable_page'];
    const settings = [...rowsOf('system_settings'), ...rowsOf('context_setting')].filter((row) =>
      named.includes(String(row['key'])),
    );
    const lists = new Set(
      rowsOf('site_tmplvars')
        .filter((row) => row['type'] === 'resourcelist')
        .map((row) => row['id']),
    );
    const values = rowsOf('site_tmplvar_contentvalues').filter((row) => lists.has(row['tmplvarid'] ?? null));
    expect(settings).toHaveLength(6);
    expect([...settings, ...values].filter((row) => !ids.has(String(row['value'])))).toEqual([]);
  });

  test('belong to variables of the template of their page', () => {
    const links = new Set(rowsOf('site_tmplvar_templates').map((row) => `${row['tmplvarid']} ${row['templateid']}`));
    const templateOf = new Map(resources.map((row) => [row['id'], row['template']]));
    const stray = rowsOf('site_tmplvar_contentvalues').filter(
      (row) => !links.has(`${row['tmplvarid']} ${templateOf.get(row['contentid'] ?? null)}`),
    );
    expect(stray).toEqual([]);
  });
});

describeEachDatabase('the sample site in a store', (database) => {
  test('has the same rows in every database', async () => {
    const store = await loadedStore(await database.url());
    try {
      const loaded = await readRows(store);
      const differing = [...tables.keys()].filter((name) => {
        const [one, other] = [tables, loaded].map((all) => JSON.stringify(withoutTimes(all.get(name) ?? [])));
        return one !== other;
      });
      expect([...loaded.keys()].sort()).toEqual([...tables.keys()].sort());
      expect(differing).toEqual([]);
    } finally {
      await store.close();
    }
  });
});

/** Settings have the time at which they were written, and one is made by chance. */
function withoutTimes(rows: readonly Row[]): readonly Row[] {
  const plain = rows
    .filter((row) => row['key'] !== 'banners_api_key')
    .map(({ editedon, ...row }) => {
      return typeof editedon === 'number' ? { ...row, editedon } : row;
    });
  return plain.sort((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));
}

describeEachDatabase('loading the sample site', (database) => {
  test('counts every record of its content once', async () => {
    const store = await openMigrated({ databaseUrl: await database.url(), prefix: 'modx_', limits: patientLimits });
    const done: number[] = [];
    await loadSample(store, { env: {}, apis: [], onProgress: (records) => done.push(records) });
    await store.close();
    expect(done.at(-1)).toBe(sampleSize());
    expect(done).toEqual(done.toSorted((one, other) => one - other));
  });
});
