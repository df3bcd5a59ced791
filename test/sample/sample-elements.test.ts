/** Elements, people and rights of the sample site. */
import { describe, expect, test } from 'vitest';
import { mediaSourceUrls } from '../../src/content/rules/media-source.js';
import { parsePhpArray } from '../../src/content/rules/php-value.js';
import { resources, rowsOf } from './sample-rows.js';

describe('the elements', () => {
  test('have one variable of every common type', () => {
    const types = new Set(rowsOf('site_tmplvars').map((row) => String(row['type'])));
    expect([...types].sort().join(' ')).toBe(
      'autotag checkbox date email file hidden image listbox listbox-multiple migx number option resourcelist richtext tag text textarea url',
    );
  });

  test('have a stored value for every variable that is not hidden, and defaults with bindings', () => {
    const stored = new Set(rowsOf('site_tmplvar_contentvalues').map((row) => row['tmplvarid']));
    const without = rowsOf('site_tmplvars').filter((row) => !stored.has(row['id'] ?? null));
    expect(without.map((row) => row['name'])).toEqual([]);
    const bindings = rowsOf('site_tmplvars').flatMap((row) => /^@[A-Z]+/.exec(String(row['default_text']))?.[0] ?? []);
    expect(bindings.sort()).toEqual(['@CHUNK', '@INHERIT', '@INHERIT']);
  });

  test('come in believable numbers', () => {
    const tables = ['site_templates', 'site_htmlsnippets', 'site_snippets', 'site_tmplvars', 'categories'];
    expect(tables.map((table) => rowsOf(table).length)).toEqual([11, 21, 10, 30, 8]);
  });

  test('have a closure row for every ancestor of a category', () => {
    const parents = new Map(rowsOf('categories').map((row) => [Number(row['id']), Number(row['parent'])]));
    const expected = [...parents.keys()].flatMap((descendant) => {
      const path = [descendant];
      while (path.at(-1) !== 0) path.push(parents.get(path.at(-1) ?? 0) ?? 0);
      return path.map((ancestor, depth) => ({ ancestor, descendant, depth }));
    });
    const sorted = (rows: readonly unknown[]) => rows.map((row) => JSON.stringify(row)).sort();
    expect(sorted(rowsOf('categories_closure'))).toEqual(sorted(expected));
  });

  test('have serialized columns that can be read', () => {
    const columns: [table: string, column: string][] = [
      ['media_sources', 'properties'],
      ['site_tmplvars', 'input_properties'],
      ['site_tmplvars', 'output_properties'],
      ['site_templates', 'properties'],
      ['content_type', 'headers'],
    ];
    const texts = columns.flatMap(([table, column]) => rowsOf(table).map((row) => String(row[column] ?? '')));
    expect(texts.filter((text) => parsePhpArray(text) === undefined)).toEqual([]);
  });

  test('have media sources that give addresses', () => {
    const addresses = rowsOf('media_sources')
      .filter(({ id }) => id !== 1)
      .map((row) =>
        mediaSourceUrls({
          source: { classKey: String(row['class_key']), properties: String(row['properties']) },
          settingOf: (key) => (key === 'site_url' ? 'https://www.larkfell.example/' : undefined),
        })('a.jpg'),
      );
    expect(addresses).toEqual([
      '/files/pictures/a.jpg',
      '/files/documents/a.jpg',
      'https://archive.larkfell.example/a.jpg',
    ]);
  });

  test('have JSON in every MIGX value', () => {
    const migx = new Set(
      rowsOf('site_tmplvars')
        .filter((row) => row['type'] === 'migx')
        .map((row) => row['id']),
    );
    const values = rowsOf('site_tmplvar_contentvalues').filter((row) => migx.has(row['tmplvarid'] ?? null));
    expect(values.filter((row) => !Array.isArray(JSON.parse(String(row['value']))))).toEqual([]);
    expect(values.length).toBeGreaterThan(100);
  });
});

describe('the people', () => {
  test('have no password that anything could match', () => {
    expect(new Set(rowsOf('users').map((row) => row['password']))).toEqual(new Set(['!']));
    expect(
      rowsOf('users')
        .filter((row) => row['active'] === 0)
        .map((row) => row['username']),
    ).toEqual(['former.member']);
    expect(
      rowsOf('user_attributes')
        .filter((row) => row['blocked'] === 1)
        .map((row) => row['fullname']),
    ).toEqual(['Noisy Member']);
  });

  test('are kept out of the members area without a login, and off the visitors’ pages with one', () => {
    const anonymousGroups = rowsOf('access_resource_groups')
      .filter((row) => row['principal'] === 0)
      .map((row) => row['target']);
    const names = new Map(rowsOf('documentgroup_names').map((row) => [String(row['id']), row['name']]));
    expect(anonymousGroups.map((target) => names.get(String(target)))).toEqual(['Visitors only']);
    const inGroup = (group: number) =>
      rowsOf('document_groups')
        .filter((row) => row['document_group'] === group)
        .map((row) => resources.find((resource) => resource['id'] === row['document'])?.['uri']);
    expect(inGroup(1)).toContain('club/the-hut.html');
    expect(inGroup(2)).toEqual(['join-the-club.html', 'application-for-membership.html']);
  });
});
