/** Holds all files to the rules of form that the linter cannot see: names, header comments, exports, test names. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { listFiles, readProgram, readTestNames, repository, stem } from './source-file.js';

const program = readProgram();
const tests = listFiles('test', (name) => name.endsWith('.ts'));
const all = [...program.map(({ path }) => path), ...tests];

describe('every file', () => {
  test('opens with a comment that says what it is responsible for', () => {
    expect(all.filter((path) => !/^(#!.*\n)?(\/\*\*|\/\/ )/.test(read(path)))).toEqual([]);
  });

  test('is named in kebab-case', () => {
    // A migration starts with its date and its place in that day.
    const kebab = /^(\d{4}-\d{2}-\d{2}T\d{2}-)?[a-z0-9]+(-[a-z0-9]+)*$/;
    expect(all.filter((path) => !kebab.test(stem(path)))).toEqual([]);
  });

  test('is not a barrel and not in a catch-all folder', () => {
    expect(all.filter((path) => /(^|\/)((utils?|helpers?|common|misc)(\/|\.ts$)|index\.ts$)/.test(path))).toEqual([]);
  });
});

test('exports by name only', () => {
  expect(program.filter((file) => file.hasDefaultExport).map((file) => file.path)).toEqual([]);
});

test('returns a value or a promise only in the places that docs/architecture.md lists', () => {
  const listed = [
    'src/http/',
    'src/values/after.ts',
    'src/identity/limits/counter.ts',
    'src/gateway/http/checks.ts',
    'src/gateway/endpoints/session.ts',
    'src/identity/credentials/secrets.ts',
    'src/identity/page-tokens/token-verifier.ts',
    'src/pages/http/routes.ts',
    'src/memory/seen-memory.ts',
    'src/banners/tracking/tracker.ts',
    'src/operations/transfer/',
  ];
  const found = program.filter(({ path }) => / \| Promise</.test(read(path))).map(({ path }) => path);
  expect(found.filter((path) => !listed.some((place) => path.startsWith(place)))).toEqual([]);
  const architecture = read('docs/architecture.md');
  expect(listed.filter((place) => !architecture.includes(`\`${place.replace(/\/$/, '')}\``))).toEqual([]);
});

test('has no two tests of one name', () => {
  const repeated = tests.flatMap((path) => {
    const names = readTestNames(read(path));
    return names.filter((name, at) => names.indexOf(name) !== at).map((name) => `${path}: ${name}`);
  });
  expect(repeated).toEqual([]);
});

test('reads test names with their groups', () => {
  const text =
    "describe('a', () => { test('b', f); describe.skipIf(x)('c', () => { test('b', f); }); }); test('b', f);";
  expect(readTestNames(text)).toEqual(['a > b', 'a > b', 'b']);
});

function read(path: string): string {
  return readFileSync(join(repository, path), 'utf8');
}
