/** The check of commit subjects: in the hook that `npm ci` installs, and over the commits of a submission. */
import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { makeTempDir } from '../support/temp-dir.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** What git reads from the environment must not come from the checkout that runs the tests. */
const env = {
  PATH: process.env['PATH'],
  HOME: '/nowhere',
  GIT_AUTHOR_NAME: 'Test',
  GIT_AUTHOR_EMAIL: 'test@example.com',
  GIT_COMMITTER_NAME: 'Test',
  GIT_COMMITTER_EMAIL: 'test@example.com',
  GIT_AUTHOR_DATE: '2030-01-01T00:00:00Z',
  GIT_COMMITTER_DATE: '2030-01-01T00:00:00Z',
};

function run(cwd: string, [program = '', ...words]: readonly string[], more: Readonly<Record<string, string>> = {}) {
  const { status, stdout, stderr } = spawnSync(program, words, { cwd, env: { ...env, ...more }, encoding: 'utf8' });
  return { status, text: `${stdout}${stderr}` };
}

/** A repository with the hook and the check, prepared as `npm ci` does it. */
async function makeCheckout(): Promise<string> {
  const folder = await makeTempDir('commits');
  for (const part of ['.githooks', '.ci']) cpSync(join(root, part), join(folder, part), { recursive: true });
  expect(run(folder, ['git', 'init', '--quiet', '--initial-branch=main']).status).toBe(0);
  expect(run(folder, ['sh', '-c', manifest.scripts.prepare]).status).toBe(0);
  return folder;
}

const commit = (subject: string): string[] => ['git', 'commit', '--quiet', '--allow-empty', '-m', subject];

describe('the hook for commit subjects', () => {
  let folder = '';
  beforeAll(async () => {
    folder = await makeCheckout();
  });

  it.each([
    ['72 characters', `fix(store): ${'x'.repeat(60)}`],
    ['no scope', 'docs: explain the worker'],
    ['a breaking change', 'feat(gateway)!: need a key for previews'],
    ['a word that ends like the past tense', 'feat(sample): embed the images'],
    ['a word that ends like the third person', 'perf(http): pass the body on'],
    ['a revert by git', 'Revert "feat: add a thing"'],
    ['a fixup', 'fixup! feat: add a thing'],
  ])('accepts %s', (_name, subject) => {
    expect(run(folder, commit(subject))).toEqual({ status: 0, text: '' });
  });

  it.each([
    ['73 characters', `fix(store): ${'x'.repeat(61)}`, 'it has 73 characters, at most 72 are allowed'],
    ['no type', 'Fix the worker', 'it must start with a type and a colon'],
    [
      'an unknown type',
      'feature: add a thing',
      'types: feat, fix, docs, refactor, style, test, chore, perf, build, ci',
    ],
    ['the past tense', 'fix: repaired the worker', '"repaired" is not in the imperative'],
    ['the third person', 'fix: repairs the worker', '"repairs" is not in the imperative'],
    ['a gerund', 'fix: repairing the worker', '"repairing" is not in the imperative'],
  ])('refuses %s', (_name, subject, problem) => {
    const { status, text } = run(folder, commit(subject));
    expect(status).toBe(1);
    expect(text).toContain(problem);
  });

  it('reads the subject below the comments of a template', () => {
    const message = '# Please enter the message\nfix: repaired the worker\n';
    const { status } = run(folder, ['git', 'commit', '--quiet', '--allow-empty', '--cleanup=strip', '-m', message]);
    expect(status).toBe(1);
  });
});

describe('the preparation of a checkout', () => {
  it('keeps the hooks that a developer has configured', async () => {
    const folder = await makeCheckout();
    run(folder, ['git', 'config', 'core.hooksPath', 'my-hooks']);
    expect(run(folder, ['sh', '-c', manifest.scripts.prepare]).status).toBe(0);
    expect(run(folder, ['git', 'config', 'core.hooksPath']).text).toBe('my-hooks\n');
  });

  it('does nothing outside a git checkout', async () => {
    const folder = await makeCheckout();
    rmSync(join(folder, '.git'), { recursive: true });
    expect(run(folder, ['sh', '-c', manifest.scripts.prepare])).toEqual({ status: 0, text: '' });
  });

  it('does nothing without git', async () => {
    const folder = await makeCheckout();
    const line = [process.execPath, '-e', /"(.*)"/.exec(manifest.scripts.prepare)?.[1] ?? ''];
    expect(run(folder, line, { PATH: '/nowhere' })).toEqual({ status: 0, text: '' });
  });
});

describe('the check of a submission', () => {
  const check = ['node', '.ci/commit-subjects.mjs'];
  const unchecked = (subject: string): string[] => [...commit(subject), '--no-verify'];

  it('reports each wrong subject since the branch left origin/main', async () => {
    const folder = await makeCheckout();
    run(folder, unchecked('this one is on main'));
    run(folder, ['git', 'update-ref', 'refs/remotes/origin/main', 'HEAD']);
    run(folder, unchecked('fix: repair the worker'));
    expect(run(folder, check)).toEqual({ status: 0, text: '' });
    run(folder, unchecked('fix: repaired the worker'));
    run(folder, unchecked('fixup! fix: repair the worker'));
    const { status, text } = run(folder, check);
    expect(status).toBe(1);
    expect(text.match(/^Subject of a commit: .*/gm)).toHaveLength(2);
    expect(text).not.toContain('on main');
  });

  it('checks the last 50 commits where origin/main is not known', async () => {
    const folder = await makeCheckout();
    run(folder, unchecked('too old to be checked'));
    // One process for fifty commits, the first of which names the one before it.
    const who = 'committer Test <test@example.com> 1893456000 +0000';
    const next = `commit refs/heads/main\n${who}\ndata 22\nfix: repair the worker\n`;
    const all = `${next}from refs/heads/main^0\n${next.repeat(49)}`;
    expect(spawnSync('git', ['fast-import', '--quiet'], { cwd: folder, env, input: all }).status).toBe(0);
    expect(run(folder, check)).toEqual({ status: 0, text: '' });
    run(folder, unchecked('repair the worker'));
    expect(run(folder, check).status).toBe(1);
  });

  it('leaves commits from before the rule alone', async () => {
    const folder = await makeCheckout();
    run(folder, unchecked('made before the rule'), { GIT_COMMITTER_DATE: '2026-11-21T00:00:00Z' });
    expect(run(folder, check)).toEqual({ status: 0, text: '' });
  });

  it('says that it checks nothing outside a git checkout', async () => {
    const folder = await makeCheckout();
    rmSync(join(folder, '.git'), { recursive: true });
    expect(run(folder, check)).toEqual({
      status: 0,
      text: 'No git checkout: the subjects of commits are not checked\n',
    });
  });
});
