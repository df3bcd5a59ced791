/** The compiled program as a process through bin/hcd. `npm run build` must have run. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { runCli, runCliProcess, startCli } from '../support/cli.js';
import { makeTempDir } from '../support/temp-dir.js';

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));

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

  it('is quiet when the reader of its output goes away', async () => {
    const running = startCli('completion bash');
    running.closeStdout();
    expect(await running.outcome).toMatchObject({ code: 0, stderr: '' });
  });
});
