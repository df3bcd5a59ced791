/** Holds the program to its dependency rules; a failure names the offending edge. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  allowedPackages,
  findCycle,
  findForbiddenImports,
  findForbiddenPackages,
  findForbiddenUses,
  findLooseFiles,
  findUnusedExports,
  findUpwardRows,
  folders,
} from './rules.js';
import { listFiles, parseSource, readProgram, repository } from './source-file.js';

const program = readProgram();

describe('the program', () => {
  test('imports only along the allowed edges', () => {
    expect(program.flatMap(findForbiddenImports)).toEqual([]);
  });

  test('imports packages only where they are allowed', () => {
    expect(program.flatMap(findForbiddenPackages)).toEqual([]);
  });

  test('uses guarded globals only where they are allowed', () => {
    expect(program.flatMap(findForbiddenUses)).toEqual([]);
  });

  test('has no cycle of imports', () => {
    expect(findCycle(program)?.join(' -> ')).toBeUndefined();
  });

  test('has a table whose rows name only folders of rows above them', () => {
    expect(findUpwardRows(folders)).toEqual([]);
  });

  test('has no file next to folders in the source', () => {
    expect(findLooseFiles(program)).toEqual([]);
  });

  test('exports only what another file or a test uses', () => {
    const tests = listFiles('test', (name) => name.endsWith('.ts'));
    const texts = tests.map((path) => readFileSync(join(repository, path), 'utf8'));
    expect(findUnusedExports(program, texts)).toEqual([]);
  });

  test('has each bounded map in the table of what is kept in memory', () => {
    const table = readFileSync(join(repository, 'docs/architecture.md'), 'utf8');
    const keepers = program.filter(({ path, text }) => {
      return path.startsWith('src/') && /new (LruMap|ByteLru|UnchangedReads)\b/.test(text);
    });
    expect(keepers.map(({ path }) => path).filter((path) => !table.includes(path))).toEqual([]);
  });

  test('declares every package of the table as a dependency', () => {
    const manifest: unknown = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'));
    const packages = Object.keys(allowedPackages).filter((name) => !name.startsWith('node:'));
    expect(packages.sort()).toEqual(dependencyNames(manifest).sort());
  });
});

function dependencyNames(manifest: unknown): string[] {
  const groups: Readonly<Record<string, object>> = Object(manifest);
  return ['dependencies', 'optionalDependencies', 'peerDependencies'].flatMap((name) =>
    Object.keys(groups[name] ?? {}),
  );
}

describe('the rules', () => {
  test('refuse a row that names itself, a later row or an unknown folder', () => {
    expect(findUpwardRows({ a: ['b'], b: ['b'], c: ['a', 'x (types)', 'b'] })).toEqual(['a: b', 'b: b', 'c: x']);
  });

  test('refuse an exported value that no importer mentions', () => {
    const files = [
      parseSource(
        'src/a/x.ts',
        'export const used = 1;\nexport function unused() {}\nexport interface Kind {}\nexport const tested = 2;',
      ),
      parseSource('commands/y.ts', "import { used } from '../src/a/x.js';\nexport const list = defineCommand(used);"),
    ];
    expect(findUnusedExports(files, ["import { tested } from './x.js';"])).toEqual(['src/a/x.ts:2 exports unused']);
  });

  test('refuse a file next to folders', () => {
    const files = ['src/a/one.ts', 'src/a/b/two.ts', 'src/c/three.ts', 'commands/a.ts', 'commands/b/c.ts'];
    expect(findLooseFiles(files.map((path) => parseSource(path, '')))).toEqual(['src/a/one.ts']);
  });

  test.each([
    [
      'an upward import',
      'src/errors/a.ts',
      "import { b } from '../store/b.js';",
      'src/errors/a.ts:1 imports src/store/b.ts',
    ],
    [
      'a value where only types are allowed',
      'src/http/interface/a.ts',
      "import { b } from '../../traces/b.js';",
      'src/http/interface/a.ts:1 imports src/traces/b.ts',
    ],
    [
      'a type from a foreign folder',
      'src/clock/a.ts',
      "import type { B } from '../log/b.js';",
      'src/clock/a.ts:1 imports src/log/b.ts (types)',
    ],
    [
      'a folder without a row',
      'src/stuff/a.ts',
      '',
      'src/stuff/a.ts lies in a folder without a row in the table of allowed imports',
    ],
  ])('refuse %s', (_name, path, text, offence) => {
    expect(findForbiddenImports(parseSource(path, text))).toEqual([offence]);
  });

  test.each([
    ['its own folder', 'src/http/stages/a.ts', "import { b } from './b.js';"],
    ['a type where types are allowed', 'src/http/interface/a.ts', "import type { B } from '../../access/b.js';"],
    ['the compiled program from the start file', 'bin/hcd', "#!/usr/bin/env node\nimport('../dist/commands/main.js');"],
  ])('allow %s', (_name, path, text) => {
    expect(findForbiddenImports(parseSource(path, text))).toEqual([]);
  });

  test.each([
    [
      'a driver outside the store',
      'src/identity/keys/a.ts',
      "import { createPool } from 'mariadb';",
      'src/identity/keys/a.ts:1 imports mariadb',
    ],
    [
      'a package that no row names',
      'src/store/a.ts',
      "import pad from 'left-pad';",
      'src/store/a.ts:1 imports left-pad',
    ],
    [
      'a client request from the server module',
      'src/http/a.ts',
      "import { request } from 'node:http';",
      'src/http/a.ts:1 imports node:http',
    ],
  ])('refuse importing %s', (_name, path, text, offence) => {
    expect(findForbiddenPackages(parseSource(path, text))).toEqual([offence]);
  });

  test.each([
    ['the environment', 'src/store/a.ts', "const a = process.env['A'];", 'src/store/a.ts:1 uses process.env'],
    ['the current time', 'src/pages/a.ts', 'const a = new Date();', 'src/pages/a.ts:1 uses new Date()'],
  ])('refuse %s outside its place', (_name, path, text, offence) => {
    expect(findForbiddenUses(parseSource(path, text))).toContain(offence);
  });

  test('allow a date made from a value and a method that has the name of a timer', () => {
    expect(findForbiddenUses(parseSource('src/pages/a.ts', 'new Date(at); clock.setTimeout(1);'))).toEqual([]);
  });

  test('name a cycle by its files', () => {
    const files = [
      parseSource('src/a/x.ts', "import '../b/y.js';"),
      parseSource('src/b/y.ts', "import type { Z } from '../c/z.js';"),
      parseSource('src/c/z.ts', "export { y } from '../b/y.js';"),
    ];
    expect(findCycle(files)).toEqual(['src/b/y.ts', 'src/c/z.ts', 'src/b/y.ts']);
  });
});
