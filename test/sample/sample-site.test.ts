/** The rows of the sample site refer to one another in order, and go into a store that the migrations made. */
import { describe, expect, test } from 'vitest';
import type { SampleValue } from '../../src/sample/batch.js';
import { sampleSite } from '../../src/sample/sample-site.js';
import { migrateUp } from '../../src/store/migrate.js';
import { ownStore, prefix } from '../migrations/store.js';
import { describeEachDatabase } from '../support/databases.js';
import { asRows, batches, resources, rowsOf, seeded } from './sample-rows.js';

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

  test.each(references)('%s.%s names a row of %s that came before', (table, column, target, targetColumn) => {
    const known = new Set((seeded[target] ?? []).map(String));
    const dangling: SampleValue[] = [];
    for (const batch of batches) {
      for (const row of asRows(batch)) {
        if (batch.table === target) known.add(String(row[targetColumn]));
        const value = row[column] ?? null;
        if (batch.table === table && value !== 0 && !known.has(String(value))) dangling.push(value);
      }
    }
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

  test('have unique primary keys', () => {
    const repeated = batches.flatMap((batch) => {
      const keys = asRows(batch).map((row) => `${batch.table} ${batch.key.map((column) => row[column]).join(' ')}`);
      return keys.filter((key, index) => keys.indexOf(key) !== index);
    });
    expect(repeated).toEqual([]);
  });

  test('are the same every time', () => {
    expect([...sampleSite()]).toEqual(batches);
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
  test('goes into what the migrations made, and every row is there afterwards', async () => {
    const run = await ownStore(await database.url());
    await migrateUp(run);
    await run.content.write(async (tx) => {
      for (const batch of batches) {
        const columns = batch.columns.map((column) => `\`${column}\``).join(', ');
        const marks = batch.columns.map(() => '?').join(', ');
        for (const row of batch.rows) {
          await tx.run({
            sql: `REPLACE INTO \`${prefix}${batch.table}\` (${columns}) VALUES (${marks})`,
            params: [...row],
          });
        }
      }
    });
    for (const batch of batches) {
      const columns = batch.columns.map((column) => `\`${column}\``).join(', ');
      const stored = await run.content.select({
        sql: `SELECT ${columns} FROM \`${prefix}${batch.table}\``,
        params: [],
      });
      const keyOf = (row: readonly unknown[]) =>
        batch.key.map((column) => String(row[batch.columns.indexOf(column)])).join(' ');
      const byKey = new Map(stored.map((row) => [keyOf(row), row]));
      expect(batch.rows.map((row) => byKey.get(keyOf(row)))).toEqual(batch.rows);
    }
    const seeds = Object.entries(seeded).map(async ([table, keys]) => {
      const rows = await run.content.select({
        sql: `SELECT \`${table === 'context' ? 'key' : 'id'}\` FROM \`${prefix}${table}\``,
        params: [],
      });
      const stored = new Set(rows.map(([key]) => String(key)));
      return keys.filter((key) => !stored.has(String(key)));
    });
    expect((await Promise.all(seeds)).flat()).toEqual([]);
  });
});
