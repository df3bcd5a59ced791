/** What the documents tell a reader to run, open or look for is there. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { helpText } from '../../commands/help-text.js';
import { createProgram } from '../../commands/program.js';
import { isSettingKey } from '../../src/config/settings.js';
import { operators } from '../../src/content/query/plan-filter.js';
import { repository } from '../architecture/source-file.js';
import {
  listDocuments,
  readAnchors,
  readCode,
  readCommands,
  readHeadings,
  readLinks,
  readNpmScripts,
  readTable,
  readTree,
} from './markdown.js';

const program = createProgram();

describe.each(listDocuments())('%s', (document) => {
  test('links only to files that are there', () => {
    expect(readLinks(document).filter((path) => !existsSync(join(repository, path)))).toEqual([]);
  });

  test('links only to headings that are there', () => {
    expect(readAnchors(document).filter(({ path, anchor }) => !readHeadings(path).includes(anchor))).toEqual([]);
  });

  test('names only npm scripts that are there', () => {
    const manifest: { scripts?: object } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'));
    const scripts = Object.keys(manifest.scripts ?? {});
    expect(readNpmScripts(document).filter((name) => !scripts.includes(name))).toEqual([]);
  });

  test('names only files of the program that are there', () => {
    const paths = readCode(document).filter((text) => isProgramPath(text));
    expect(paths.filter((path) => !existsSync(join(repository, path)))).toEqual([]);
  });

  test('names only settings that are there', () => {
    const keys = readCode(document).filter((text) => /^(gateway|pages|banners)_[a-z_]+$/.test(text));
    expect(keys.filter((key) => !isSettingKey(key))).toEqual([]);
  });

  test('names only commands that the program has', async () => {
    const named = readCommands(document);
    const known = await Promise.all(named.map(hasCommand));
    expect(named.filter((_command, at) => !known[at])).toEqual([]);
  });
});

/** A command, a group of commands, or a command followed by words that its help names, such as `migrate down`. */
async function hasCommand(words: string): Promise<boolean> {
  if (words in program.groups) return true;
  const path = Object.keys(program.commands)
    .filter((one) => words === one || words.startsWith(`${one} `))
    .sort((one, other) => other.length - one.length)[0];
  if (path === undefined) return false;
  const help = await helpText(program, path);
  const rest = words.slice(path.length).split(' ').filter(Boolean);
  return rest.every((word) => new RegExp(`\\b${word}\\b`).test(help));
}

function isProgramPath(text: string): boolean {
  return /^(src|commands|migrations|test|bench|assets|examples|man|bin|docs)\/[\w./-]+$/.test(text);
}

test('the table of filter operators is that of the program', () => {
  const code = (text: string) => `\`${text}\``;
  expect(readTable('docs/gateway.md', 'Operator')).toEqual(
    operators.map(({ operator, aliases, takes, description }) => [
      code(operator),
      aliases.map(code).join(', '),
      takes,
      description,
    ]),
  );
});

describe('decision records', () => {
  const folder = join(repository, 'docs/decisions');
  const records = readdirSync(folder).filter((name) => /^\d{4}-/.test(name));

  test.each(records)('%s has at most 200 words', (name) => {
    expect(readFileSync(join(folder, name), 'utf8').trim().split(/\s+/).length).toBeLessThanOrEqual(200);
  });

  test('are listed in their README', () => {
    const list = readFileSync(join(folder, 'README.md'), 'utf8');
    expect(records.filter((name) => !list.includes(`](${name})`))).toEqual([]);
  });
});

describe('the source tree in CONTRIBUTING.md', () => {
  const tree = readTree('CONTRIBUTING.md', 'Source tree');

  test('lists only what is there', () => {
    expect(tree.length).toBeGreaterThan(0);
    expect(tree.filter((path) => !existsSync(join(repository, path)))).toEqual([]);
  });

  test('lists every folder of the source', () => {
    const folders = readdirSync(join(repository, 'src'), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && readdirSync(join(repository, 'src', entry.name)).length > 0)
      .map((entry) => `src/${entry.name}/`);
    expect(folders.filter((folder) => !tree.includes(folder))).toEqual([]);
  });
});
