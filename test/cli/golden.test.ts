/** Texts that people and scripts rely on, compared as a whole: help, the configuration, its errors. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'vitest';
import { topics } from '../../commands/help-text.js';
import { createProgram } from '../../commands/program.js';
import { type CliOptions, type CliOutcome, runCli } from '../support/cli.js';
import { expectGolden } from '../support/golden.js';
import { makeTempDir } from '../support/temp-dir.js';

/** The whole outcome as one text, with the working directory by name. */
function transcript({ code, stdout, stderr }: CliOutcome, cwd: string): string {
  return `exit code ${code}\n--- stdout\n${stdout}--- stderr\n${stderr}`.replaceAll(cwd, '<cwd>');
}

const nodes = ['', ...Object.keys({ ...createProgram().groups, ...createProgram().commands })];

describe('help', () => {
  it.each(nodes)('of "hcd %s"', async (path) => {
    const { stdout } = await runCli(`${path} --help`);
    expectGolden(`cli/golden/help${path === '' ? '' : `-${path.replaceAll(' ', '-')}`}.txt`, stdout);
  });

  it.each(topics.map(({ name }) => name))('on the topic %s', async (name) => {
    expectGolden(`cli/golden/topic-${name}.txt`, (await runCli(`help ${name}`)).stdout);
  });
});

describe('the configuration', () => {
  const env = {
    HCD_DATABASE_URL: 'mariadb://site:hunter2@db.example/site',
    HCD_SECRET: 'a-secret-of-many-letters',
    HCD_GATEWAY_CACHE_TTL: '60',
  };
  const cases: readonly [name: string, line: string, options: CliOptions][] = [
    [
      'config-show-terminal',
      'config show',
      { env: { ...env, NO_COLOR: '1' }, terminal: { columns: 100 }, cwd: '/site' },
    ],
    ['config-show-pipe', 'config show', { env }],
    ['config-show-json', 'config show --json', { env }],
    ['config-show-flag', 'config show --database sqlite:other.sqlite', { env }],
    ['config-errors', 'config show --database nonsense:x', { env }],
    [
      'config-errors-all',
      'config show',
      { env: { HCD_PORT: 'x', HCD_WORKERS: '0', HCD_PAGES_REST_API_ENABLED: 'perhaps' } },
    ],
    ['config-errors-json', 'config show --json', { env: { HCD_PORT: 'x', HCD_WORKERS: '0' } }],
    ['config-file-missing', 'config show --config no.toml', {}],
  ];

  it.each(cases)('%s', async (name, line, options) => {
    const cwd = await makeTempDir('golden');
    await writeFile(join(cwd, 'hcd.toml'), 'port = 9000\nplugins = ["a.js", "b.js"]\n');
    expectGolden(`cli/golden/${name}.txt`, transcript(await runCli(line, { cwd, ...options }), cwd));
  });
});
