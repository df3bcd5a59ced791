/** The compiled program as a process through bin/hcd. `npm run build` must have run. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { runCli, runCliProcess, startCli } from '../support/cli.js';
import { freePort } from '../support/free-port.js';
import { makeTempDir } from '../support/temp-dir.js';
import { refused } from './outcomes.js';

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));

/** A line of a shell with the program as `"$HCD"`. */
function runShell(line: string, cwd: string): { readonly code: number | null; readonly stderr: string } {
  const binary = fileURLToPath(new URL('../../bin/hcd', import.meta.url));
  const env = { PATH: process.env['PATH'] ?? '', HCD: binary };
  const { status, stderr } = spawnSync('sh', ['-c', line], { cwd, env, encoding: 'utf8' });
  return { code: status, stderr };
}

/** The folder of a sample site that no test changes. */
let demo: Promise<string> | undefined;

async function loadDemo(): Promise<string> {
  const cwd = await makeTempDir('process');
  await runCliProcess('demo', { cwd, env: { HCD_PORT: '0' } });
  return cwd;
}

describe('the process', () => {
  it('prints its version', async () => {
    expect(await runCliProcess('--version')).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
  });

  it('says the same as a run inside this process', async () => {
    const cwd = await makeTempDir('process');
    const env = { HCD_PORT: '1234' };
    for (const line of ['config show --json', 'config show', 'help', 'nonsense', 'config', 'completion zsh']) {
      expect(await runCliProcess(line, { cwd, env })).toEqual(await runCli(line, { cwd, env }));
    }
  });

  it.each([
    ['done', 'config show', {}, 0],
    ['wrong usage', 'config shwo', {}, 2],
    ['configuration not usable', 'config show', { HCD_PORT: 'x' }, 3],
  ])('ends with the exit code for %s', async (_name, line, env, code) => {
    expect((await runCliProcess(line, { env })).code).toBe(code);
  });

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 0],
  ] as const)('lets a server end itself on %s and exits with %i', async (signal, code) => {
    const running = startCli('serve --port 0', { cwd: await makeTempDir('process') });
    await running.waitForStderr('listening on http://');
    running.kill(signal);
    expect(await running.outcome).toMatchObject({ code, stdout: '' });
  });

  it.each(['throw fault', 'Promise.reject(fault)'])(
    'writes a crash as a line of the log and ends: %s',
    async (crash) => {
      const cwd = await makeTempDir('process');
      const preload = `data:text/javascript,process.on('SIGUSR2', () => { const fault = new Error('broken'); ${crash}; })`;
      const env = { NODE_OPTIONS: `--import "${encodeURI(preload)}"` };
      const running = startCli('serve --port 0', { cwd, env });
      await running.waitForStderr('listening');
      running.kill('SIGUSR2');
      const { code, stderr } = await running.outcome;
      const last = JSON.parse(stderr.trim().split('\n').at(-1) ?? '');
      expect([code, last.level, last.message, last.error]).toEqual([
        70,
        'error',
        'unexpected error during background work, the process ends',
        expect.stringContaining('broken'),
      ]);
    },
  );

  it('notes where a server listens, so that no delivery of another process goes there', async () => {
    const cwd = await makeTempDir('process');
    const port = await freePort();
    const running = startCli(`serve --port ${port}`, { cwd });
    await running.waitForStderr('listening on http://');
    const env = { HCD_GATEWAY_WEBHOOK_ALLOW_PRIVATE_URLS: '1' };
    const outcome = await runCliProcess(`webhook add --url http://127.0.0.1:${port}/hook --events *`, { cwd, env });
    const stderr = `hcd: --url http://127.0.0.1:${port}/hook: The URL must not be an address of this server itself\n`;
    expect(outcome).toMatchObject({ code: 1, stderr });
    running.kill('SIGTERM');
    await running.outcome;
  });

  it.each([
    ['a flag of serve', 'serve --port 99999', '--port must be an integer from 0 to 65535, not "99999"'],
    [
      'two flags of serve',
      'serve --port x --workers 0',
      '--port must be an integer from 0 to 65535, not "x"; --workers must be an integer from 1 to 256, not "0"',
    ],
    ['the host of serve', "serve --host 'a b'", '--host must be a host name or IP address, not "a b"'],
  ])('finds wrong usage in %s', async (_name, line, message) => {
    const outcome = await runCliProcess(line, { cwd: await makeTempDir('process') });
    expect(outcome).toEqual(refused(`hcd: ${message}\nSee hcd serve --help.\n`, 2));
  });

  it('says why it cannot listen', async () => {
    const cwd = await makeTempDir('process');
    const { code, stderr } = await runCliProcess('serve --host 192.0.2.1 --port 8080', { cwd });
    expect(code).toBe(3);
    expect(stderr).toContain('hcd: Cannot listen on 192.0.2.1:8080: this machine does not have that address\n');
  });

  it('leaves no other files next to the database', async () => {
    const cwd = await makeTempDir('process');
    for (const line of ['migrate status', 'migrate down --yes', 'setting list']) {
      expect([line, (await runCliProcess(line, { cwd })).code, readdirSync(cwd)]).toEqual([line, 3, []]);
    }
    for (const line of [
      'migrate',
      'migrate status',
      'setting set gateway_max_limit 7',
      'setting list',
      'resource list',
    ]) {
      expect([line, (await runCliProcess(line, { cwd })).code, readdirSync(cwd)]).toEqual([line, 0, ['hcd.sqlite']]);
    }
  });

  it.skipIf(process.platform !== 'linux').each(['completion bash', 'export -', 'backup -'])(
    'fails when the output of "hcd %s" cannot be written',
    async (line) => {
      const cwd = await makeTempDir('process');
      await runCliProcess('migrate', { cwd });
      const { code, stderr } = runShell(`"$HCD" ${line} --quiet > /dev/full`, cwd);
      expect([code, stderr]).toEqual([
        1,
        'hcd: The output cannot be written: ENOSPC: no space left on device, write\n',
      ]);
    },
  );

  it.each([
    'completion bash',
    'config show',
    'openapi gateway',
    'resource list --quiet',
    'resource list --json',
    'help',
    'export -',
    'backup -',
    'types --out -',
    'status --watch --json',
  ])('ends "hcd %s" quietly, as cat does, when the reader of its output goes away', async (line) => {
    demo ??= loadDemo();
    const running = startCli(line, { cwd: await demo });
    running.closeStdout();
    expect(await running.outcome).toMatchObject({ code: 141, stderr: '' });
  });

  it('keeps the exit code of an error whose reader goes away', async () => {
    const running = startCli('nonsense --json');
    running.closeStdout();
    expect((await running.outcome).code).toBe(2);
  });

  it.each(['serve --port 0', 'serve --port 0 --workers 2'])(
    'ends "hcd %s" on SIGTERM while the reader of its log stands still',
    async (line) => {
      const running = startCli(line, { cwd: await makeTempDir('process') });
      await running.waitForStderr('listening on http://');
      const url = /listening on (\S+)/.exec(running.said())?.[1];
      running.stopReading();
      // More lines than a pipe and the stream of the test hold.
      for (let turn = 0; turn < 2000; turn += 1) await (await fetch(`${url}/api/v1/health`)).text();
      running.kill('SIGTERM');
      expect((await running.outcome).code).toBe(0);
    },
  );

  it.each([
    ['a server', 'serve --port 0'],
    ['a server with worker processes', 'serve --port 0 --workers 2'],
  ])('writes nothing but JSON lines for %s where the log is JSON, warnings of Node included', async (_name, line) => {
    const env = {
      ...{ HCD_LOG_FORMAT: 'json', HCD_ADMIN_PORT: '0' },
      NODE_OPTIONS: `--import "data:text/javascript,process.on('SIGUSR2',()=>process.emitWarning('old','DeprecationWarning'))"`,
    };
    const running = startCli(line, { cwd: await makeTempDir('process'), env });
    await running.waitForStderr('"message":"listening on http://');
    running.kill('SIGUSR2');
    await running.waitForStderr('"message":"DeprecationWarning: old"');
    running.kill('SIGTERM');
    const { code, stderr } = await running.outcome;
    expect(code).toBe(0);
    const lines = stderr.trim().split('\n');
    expect(lines.map((one) => JSON.parse(one).message)).toContainEqual(expect.stringMatching(/^admin listener at /));
  });

  it('reports why a server cannot start as a line of its log where that is JSON', async () => {
    const cwd = await makeTempDir('process');
    const env = { HCD_LOG_FORMAT: 'json' };
    const { code, stderr } = await runCliProcess('serve --host 192.0.2.1 --port 8080', { cwd, env });
    const lines = stderr
      .trim()
      .split('\n')
      .map((one) => JSON.parse(one));
    const message = expect.stringMatching(/^hcd: Cannot listen on 192.0.2.1:8080: this machine does not have that/);
    expect([code, lines]).toEqual([3, expect.arrayContaining([expect.objectContaining({ level: 'error', message })])]);
  });

  it('goes on serving when the reader of its log goes away', async () => {
    const running = startCli('serve --port 0', { cwd: await makeTempDir('process') });
    await running.waitForStderr('listening on http://');
    const url = /listening on (\S+)/.exec(running.said())?.[1];
    running.closeStderr();
    for (let turn = 0; turn < 20; turn += 1) expect((await fetch(`${url}/api/v1/health`)).status).toBe(200);
    running.kill('SIGTERM');
    expect((await running.outcome).code).toBe(0);
  });
});
