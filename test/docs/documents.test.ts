/** What the documents tell a reader to run, open or look for is there. */
import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { repository } from '../architecture/source-file.js';
import { listDocuments, readCommands, readLinks, readNpmScripts, readTree } from './markdown.js';

const run = promisify(execFile);

describe.each(listDocuments())('%s', (document) => {
  test('links only to files that are there', () => {
    expect(readLinks(document).filter((path) => !existsSync(join(repository, path)))).toEqual([]);
  });

  test('names only npm scripts that are there', () => {
    const manifest: { scripts?: object } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'));
    const scripts = Object.keys(manifest.scripts ?? {});
    expect(readNpmScripts(document).filter((name) => !scripts.includes(name))).toEqual([]);
  });

  test('names only commands that the program has', async () => {
    const unknown: string[] = [];
    for (const command of readCommands(document)) if (!(await hasCommand(command))) unknown.push(command);
    expect(unknown).toEqual([]);
  });
});

/** The help of an unknown command is that of its parent, so the usage line decides. */
async function hasCommand(command: string): Promise<boolean> {
  try {
    const { stdout } = await run(process.execPath, ['bin/hcd', ...command.split(' '), '--help'], { cwd: repository });
    return new RegExp(`hcd ${command}\\b`).test(stdout);
  } catch {
    return false;
  }
}

describe('the source tree in the README', () => {
  const tree = readTree('README.md', 'Source tree');

  test('lists only what is there', () => {
    expect(tree.length).toBeGreaterThan(0);
    expect(tree.filter((path) => !existsSync(join(repository, path)))).toEqual([]);
  });

  test('lists every folder of the source', () => {
    const folders = readdirSync(join(repository, 'src'), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => `src/${entry.name}/`);
    expect(folders.filter((folder) => !tree.includes(folder))).toEqual([]);
  });
});
