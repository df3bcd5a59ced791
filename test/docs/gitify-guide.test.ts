/** The commands of docs/gitify.md, in their order, on a small repository. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openStore } from '../../src/store/open/open.js';
import { repository } from '../architecture/source-file.js';
import { runCli } from '../support/cli.js';
import { makeTempDir } from '../support/temp-dir.js';

test('a Gitify repository becomes a site by the commands of its guide', async () => {
  const cwd = await makeTempDir('gitify');
  mkdirSync(join(cwd, '_data/content/web'), { recursive: true });
  writeFileSync(join(cwd, '.gitify'), 'data_directory: _data/\ndata:\n    content:\n        type: content\n');
  const page = join(cwd, '_data/content/web/about.html');
  writeFileSync(page, 'id: 7\npagetitle: About us\nalias: about\npublished: 1\nuri: about.html\n\n-----\n\n<p>We</p>');
  const before = readFileSync(page, 'utf8');
  const guide = readFileSync(join(repository, 'docs/gitify.md'), 'utf8');
  const commands = [...guide.matchAll(/^hcd (.*)$/gm)].map(([, line = '']) => line);
  const ended = commands.filter((line) => line !== 'serve' && !line.includes('--watch'));
  const outcomes = new Map<string, string>();
  for (const line of ended) {
    const { code, stdout, stderr } = await runCli(line, {
      cwd,
      openStore,
      env: { HCD_DATABASE_URL: `sqlite:${cwd}/site.db` },
    });
    expect([line, code, stderr]).toEqual([line, 0, expect.any(String)]);
    outcomes.set(line, stdout);
  }
  expect(outcomes.get('import ./')).toBe('1 record created, 0 updated, 0 unchanged, 0 skipped.\n');
  expect(outcomes.get('resource list')).toContain('About us');
  expect(outcomes.get('export ./')).toContain('0 files written, 1 unchanged, 0 removed');
  expect(readFileSync(page, 'utf8')).toBe(before);
});
