/** The OpenAPI documents of all interfaces, as generators and linters of other people read them. */
import { beforeAll, describe, expect, test } from 'vitest';
import { freshSqliteUrl } from '../../support/databases.js';
import { installGenerators, lintErrors, prepareSite } from '../gateway/client-project.js';

type Node = Readonly<Record<string, unknown>>;

const installed = await installGenerators();
const texts = new Map<string, string>();
let errors: Readonly<Record<string, unknown>>;
beforeAll(async () => {
  const { given } = await prepareSite({ name: 'sqlite', url: freshSqliteUrl });
  for (const [name, path] of [
    ['gateway', `${given['url']}/meta/openapi.json`],
    ['pages', `${given['pagesUrl']}/openapi.json`],
    ['banners', `${given['bannersUrl']}/openapi.json`],
  ] as const) {
    texts.set(name, await (await fetch(path)).text());
  }
  // At once: loading the linters takes longest.
  if (installed !== null) errors = await lintErrors(installed, texts);
});

/** Each object of the document with its place. */
function* nodesOf(value: unknown, place = ''): Generator<readonly [place: string, node: Node]> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield [place, value as Node];
  for (const [name, member] of Object.entries(value)) yield* nodesOf(member, `${place}/${name}`);
}

describe.each(['gateway', 'pages', 'banners'])('the document of %s', (name) => {
  const nodes = () => [...nodesOf(JSON.parse(texts.get(name) ?? ''))];

  test('names the version of OpenAPI and the licence', () => {
    expect(JSON.parse(texts.get(name) ?? '')).toMatchObject({
      openapi: '3.1.1',
      info: { license: { name: 'MIT', identifier: 'MIT' } },
    });
  });

  test.skipIf(installed === null)('has no error for Spectral and Redocly', () => {
    expect(errors[name]).toEqual([]);
  });

  test('names each operation differently', () => {
    const ids = nodes().flatMap(([, { operationId }]) => (operationId === undefined ? [] : [operationId]));
    expect(ids.length).toBeGreaterThan(5);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('lists each value of an enumeration once, whatever form a generator gives its name', () => {
    const nameOf = (value: unknown) =>
      String(value)
        .toLowerCase()
        .replaceAll(/[^a-z0-9-]/g, '');
    const twice = nodes().flatMap(([place, { enum: values }]) => {
      if (!Array.isArray(values)) return [];
      const names = values.map(nameOf);
      return new Set(names).size === names.length ? [] : [`${place}: ${values.join(' ')}`];
    });
    expect(twice).toEqual([]);
  });

  test('gives examples of parameters the type of their schema', () => {
    const typeOf = (value: unknown) =>
      Number.isInteger(value) ? 'integer' : Array.isArray(value) ? 'array' : typeof value;
    const wrong = nodes().flatMap(([place, { in: where, schema, example }]) => {
      if (where === undefined || example === undefined) return [];
      const types = [(schema as Node)['type']].flat();
      return types.includes(typeOf(example)) ? [] : [`${place}: ${JSON.stringify(example)} is not ${types.join(', ')}`];
    });
    expect(wrong).toEqual([]);
  });
});
