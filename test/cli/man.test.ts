/** Man pages: the checked-in files are what the commands say now, and they are valid roff. */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { manPages, releaseDate, writeManPages } from '../../binary/man.js';
import { createProgram } from '../../commands/program.js';
import { sampleProgram } from './sample-program.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = join(root, 'man');
const program = createProgram();

/** Plain text of a page: no overstriking, no colours. */
function format(text: string) {
  const flags = ['-man', '-Tutf8', '-ww', '-rLL=78n', '-P-c', '-P-b', '-P-o', '-P-u'];
  return spawnSync('groff', flags, { input: text, encoding: 'utf8' });
}

async function currentPages() {
  if (process.env['UPDATE_GOLDEN'] === '1') await writeManPages(root);
  const changelog = join(root, 'CHANGELOG.md');
  return manPages(program, { date: existsSync(changelog) ? releaseDate(readFileSync(changelog, 'utf8')) : '' });
}

const groff = spawnSync('groff', ['--version']).status === 0;
if (!groff) process.stdout.write('NOTICE: the man pages were not checked for valid roff: groff is not installed.\n');

const pages = await currentPages();
const samplePages = await manPages(sampleProgram, { date: '2026-11-21' });

describe('man pages', () => {
  it('are the checked-in files, one for the program and one for every command', () => {
    expect(readdirSync(folder).sort()).toEqual(pages.map(({ file }) => file).sort());
    expect(pages).toHaveLength(Object.keys(program.commands).length + 1);
  });

  it('are listed in package.json: npm links no others', () => {
    const { man } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    expect(man).toEqual(pages.map(({ file }) => `./man/${file}`).sort());
  });

  it.each(pages.map((page) => [page.file, page.text]))('%s is up to date', (file, text) => {
    expect(readFileSync(join(folder, file), 'utf8')).toBe(text);
  });

  it.skipIf(!groff)('format without a warning', () => {
    const all = [...pages, ...samplePages];
    const { stdout, stderr, status } = format(all.map(({ text }) => text).join(''));
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout.match(/^SYNOPSIS$/gm)).toHaveLength(all.length);
  });

  it.skipIf(!groff)('show flags, backslashes and quotes as they are typed', async () => {
    const [page] = await manPages(program, { date: '' });
    const stdout = format(page?.text ?? '').stdout.replace(/\s+/g, ' ');
    expect(stdout).toContain('--database URL');
    expect(stdout).toContain('\\t, \\n and \\\\');
    expect(stdout).toContain('{"data": [...], "meta": {"total": 3}}');
  });
});

describe('the date of the release', () => {
  it.each([
    ['of the newest heading', '# Changelog\n\n## 0.2.0 (2026-11-21)\n\n## 0.1.0 (2026-01-01)\n', '2026-11-21'],
    ['skips what is not released', '## Unreleased\n\n- x 2025-01-01\n\n## [0.1.0] - 2026-01-01\n', '2026-01-01'],
    ['is empty without one', '# Changelog\n', ''],
  ])('%s', (_name, changelog, date) => {
    expect(releaseDate(changelog)).toBe(date);
  });
});
