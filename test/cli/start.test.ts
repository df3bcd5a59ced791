/** What the program loads before it answers: a start pays for the words that were typed, not for every command. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Names every module on standard error. */
const hooks = `import { writeSync } from 'node:fs';
export function load(url, context, next) { writeSync(2, url + '\\n'); return next(url, context); }`;
const register = `import { register } from 'node:module'; register(${JSON.stringify(dataUrl(hooks))});`;

function dataUrl(text: string): string {
  return `data:text/javascript,${encodeURIComponent(text)}`;
}

/** Our files below `dist`, and the packages, that the built program loads for these words. */
function loadedFor(...words: readonly string[]): { readonly files: string[]; readonly packages: string[] } {
  const line = ['--import', dataUrl(register), `${root}bin/hcd`, ...words];
  const { status, stderr } = spawnSync(process.execPath, line, { encoding: 'utf8' });
  expect(status).toBe(0);
  const paths = stderr.split('\n').flatMap((url) => (url.startsWith('file:') ? [fileURLToPath(url)] : []));
  const ours = paths.filter((path) => path.startsWith(`${root}dist/`));
  const packages = paths.flatMap((path) => /node_modules\/([^/]+)/.exec(path)?.[1] ?? []);
  return { files: ours.map((path) => path.slice(`${root}dist/`.length)), packages: [...new Set(packages)] };
}

describe('a start', () => {
  it.each([
    ['for the version', ['--version']],
    ['for the list of commands', ['--help']],
    ['for the help of a group', ['key', '--help']],
  ])('%s loads at most 26 files, no command and one package', (_name, words) => {
    const { files, packages } = loadedFor(...words);
    expect(files.length, files.join(' ')).toBeGreaterThan(10);
    expect(files.length, files.join(' ')).toBeLessThanOrEqual(26);
    expect(files.filter((file) => file.startsWith('commands/key/'))).toEqual([]);
    expect(packages).toEqual(['commander']);
  });

  it('for the help of a command loads the file of that command only', () => {
    const { files } = loadedFor('setting', 'list', '--help');
    const listed = files.filter((file) => /^commands\/[\w-]+\/(list|set|show|create|get)\.js$/.test(file));
    expect(listed).toEqual(['commands/setting/list.js']);
  });
});
