/** Raw values of template variables: recorded results of a running CMS, and the rule of inheritance. */
import { describe, expect, test } from 'vitest';
import { isInherited, rawValue } from '../../../src/content/rules/tv-values.js';
import { describeWithFixtureFiles, readFixtureJson } from '../../support/fixture.js';
import { dumpRows, readDump } from './sql-dump.js';

interface Expected {
  readonly resource: number;
  readonly tv: string;
  readonly raw: string;
}

describeWithFixtureFiles('the values of a real site', () => {
  test('raw values equal those of the running CMS, in the same order', async () => {
    const { values } = (await readFixtureJson('expected-tv.json')) as { values: Expected[] };
    const dump = await readDump();
    const variables = new Map(dumpRows(dump, 'modx_site_tmplvars').map((row) => [row['id'], row]));
    const stored = new Map(
      dumpRows(dump, 'modx_site_tmplvar_contentvalues').map((row) => [
        `${row['tmplvarid']} ${row['contentid']}`,
        row['value'] ?? '',
      ]),
    );
    const resources = new Map(dumpRows(dump, 'modx_site_content').map((row) => [Number(row['id']), row]));
    const links = dumpRows(dump, 'modx_site_tmplvar_templates');
    const source = {
      stored: (variable: number, resource: number) => stored.get(`${variable} ${resource}`),
      parentOf: (resource: number) => Number(resources.get(resource)?.['parent'] ?? 0),
    };

    const computed = [...new Set(values.map(({ resource }) => resource))].flatMap((resource) => {
      const linked = links
        .filter((link) => link['templateid'] === resources.get(resource)?.['template'])
        .map((link) => {
          const row = variables.get(link['tmplvarid'] ?? null);
          const id = Number(row?.['id']);
          const rank = [Number(link['rank']), Number(row?.['rank']), id];
          return { id, name: row?.['name'] ?? '', defaultText: row?.['default_text'] ?? null, rank };
        })
        .sort((one, other) => compareRanks(one.rank, other.rank));
      return linked.map(({ name, ...variable }) => ({
        resource,
        tv: name,
        raw: rawValue({ variable, resourceId: resource, source }),
      }));
    });
    expect(computed).toEqual(values.map(({ resource, tv, raw }) => ({ resource, tv, raw })));
  });
});

function compareRanks(one: readonly number[], other: readonly number[]): number {
  return one.map((rank, at) => rank - (other[at] ?? 0)).find((difference) => difference !== 0) ?? 0;
}

/** 1 <- 2 <- 3; 4 and 5 are each other's parents. */
const parents: Readonly<Record<number, number>> = { 1: 0, 2: 1, 3: 2, 4: 5, 5: 4 };

function value(defaultText: string | null, stored: Readonly<Record<number, string>>, resourceId = 3): string {
  return rawValue({
    variable: { id: 7, defaultText },
    resourceId,
    source: { stored: (id, resource) => (id === 7 ? stored[resource] : undefined), parentOf: (id) => parents[id] },
  });
}

describe('the raw value', () => {
  const cases: [name: string, found: string, expected: string][] = [
    ['is the stored value', value('default', { 3: 'own' }), 'own'],
    ['is the default without a row', value('default', {}), 'default'],
    ['is empty without row and default', value(null, {}), ''],
    ['is empty when an empty text is stored', value('default', { 3: '' }), ''],
    ['keeps white space', value('', { 3: ' a\r\n' }), ' a\r\n'],
    ['is inherited from the parent', value('@INHERIT', { 2: 'parent', 1: 'root' }), 'parent'],
    ['is inherited when the stored value says so', value('x', { 3: '@inherit', 2: 'parent' }), 'parent'],
    ['skips empty values on the way up', value('@INHERIT', { 2: '', 1: 'root' }), 'root'],
    ['takes 0 as a value', value('@INHERIT', { 2: '0', 1: 'root' }), '0'],
    ['skips bindings on the way up', value('@INHERIT', { 2: '@CHUNK x', 1: 'root' }), 'root'],
    ['is the text behind the binding at the root', value('@INHERIT  none ', {}), 'none'],
    ['is empty when the binding has no text', value('@INHERIT', {}), ''],
    ['is the default of the parent when that is not a binding', value('blue', { 3: '@INHERIT' }), 'blue'],
    ['ends in a circle of parents', value('@INHERIT x', {}, 4), 'x'],
    ['leaves a binding as default of inheritance', value('@INHERIT @CHUNK footer', {}), '@CHUNK footer'],
    ['leaves queries', value('@SELECT id FROM users', {}), '@SELECT id FROM users'],
    ['leaves snippets', value('', { 3: '@SNIPPET now' }), '@SNIPPET now'],
    ['leaves files', value('@FILE /etc/passwd', {}), '@FILE /etc/passwd'],
    ['leaves text that merely begins with the sign', value('@hcd', {}), '@hcd'],
  ];

  test.each(cases)('%s', (_name, found, expected) => {
    expect(found).toBe(expected);
  });

  test('only @INHERIT is an inherited value', () => {
    expect(['@INHERIT', ' @inherit x', '@CHUNK x', 'INHERIT', 'x @INHERIT'].map(isInherited)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
  });
});
