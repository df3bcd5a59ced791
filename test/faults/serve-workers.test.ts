/**
 * Several HTTP processes on one port, as processes: dead ones are replaced, changes and counts are shared, and neither
 * a stop nor a replacement fails a request.
 */
import { existsSync, readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { createServer } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { runCliProcess, startCli } from '../support/cli.js';
import { describeEachDatabase } from '../support/databases.js';
import { freePort } from '../support/free-port.js';
import { expectSound } from '../support/sound-store.js';
import { makeTempDir } from '../support/temp-dir.js';

/** Process ids of the children, as Linux lists them. */
function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
}

/** Status of a read over a connection of its own, so that any worker may get it; 0 while the connection is refused. */
async function read(port: number, query = ''): Promise<{ readonly status: number; readonly text: string }> {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/resources?fields=id${query}`, {
      headers: { connection: 'close' },
    });
    return { status: answer.status, text: await answer.text() };
  } catch {
    // Refused: between the death of the last worker and its successor.
    return { status: 0, text: '' };
  }
}

describe.skipIf(process.platform !== 'linux')('several workers', () => {
  it('are replaced when one or all of them are killed, and leave nothing behind', async () => {
    const cwd = await makeTempDir('workers');
    const port = await freePort();
    // The test sends more requests than the rate limit allows.
    const env = { HCD_WORKERS: '2', HCD_PORT: String(port), HCD_GATEWAY_RATE_LIMIT_ENABLED: '0' };
    const running = startCli('serve gateway', { cwd, env });
    await running.waitForStderr('listening on http://');
    await expect.poll(() => childrenOf(running.pid).length).toBe(2);
    await expect.poll(() => read(port).then(({ status }) => status)).toBe(200);
    const killed = childrenOf(running.pid);
    for (const pid of killed) process.kill(pid, 'SIGKILL');
    await expect.poll(() => childrenOf(running.pid).filter((pid) => !killed.includes(pid)).length).toBe(2);
    await expect.poll(() => read(port).then(({ status }) => status)).toBe(200);

    expect((await runCliProcess('setting set gateway_max_limit 7', { cwd })).code).toBe(0);
    const limits = async () => {
      const answers = await Promise.all(Array.from({ length: 12 }, () => read(port, '&limit=50')));
      return new Set(answers.map(({ text }) => /"limit":(\d+)/.exec(text)?.[1]));
    };
    await expect.poll(limits).toEqual(new Set(['7']));

    running.kill('SIGTERM');
    const { code, stderr } = await running.outcome;
    expect([code, stderr.match(/"error":"Error: a worker ended by SIGKILL"/g)?.length]).toEqual([0, 2]);
    expect((await read(port)).status).toBe(0);
    await expectSound(`sqlite:${cwd}/hcd.sqlite`);
  });

  it('stop on SIGTERM while some of them are still starting', async () => {
    const cwd = await makeTempDir('workers');
    const env = { HCD_WORKERS: '4', HCD_PORT: String(await freePort()) };
    const running = startCli('serve gateway', { cwd, env });
    // The first of the four says so.
    await running.waitForStderr('listening on http://');
    running.kill('SIGTERM');
    const { code } = await running.outcome;
    expect(code).toBe(0);
  });

  it('report why they cannot start', async () => {
    const blocker = createServer();
    await new Promise<void>((resolve) => blocker.listen(0, '127.0.0.1', resolve));
    const address = blocker.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const cwd = await makeTempDir('workers');
    const env = { HCD_WORKERS: '2', HCD_PORT: String(port) };
    const { code, stderr } = await runCliProcess('serve', { cwd, env });
    const inJson = await runCliProcess('serve --json', { cwd, env });
    await new Promise((resolve) => blocker.close(resolve));
    expect(code).toBe(3);
    expect(stderr).toContain(`Another process already listens on 127.0.0.1:${port}`);
    expect(stderr).toContain('Workers cannot start: the last one ended with exit code 3');
    expect(JSON.parse(inJson.stdout)).toEqual({
      error: {
        code: 'configuration_invalid',
        message: 'Workers cannot start: the last one ended with exit code 3',
        details: {},
      },
    });
    expect(inJson.stderr).toContain(`hcd: Another process already listens on 127.0.0.1:${port}`);
  });
});

/** Asks again and again, on one connection or on a new one for each request, until it is told to end. */
function startLoad(port: number, { keepAlive }: { readonly keepAlive: boolean }) {
  const agent = new Agent({ keepAlive, maxSockets: 1 });
  const answers = new Map<number | string, number>();
  const ask = () =>
    new Promise<number | string>((resolve) => {
      const asked = request({ port, host: '127.0.0.1', path: '/api/v1/resources?limit=3', agent }, (answer) => {
        answer.on('error', (error) => resolve(error.message));
        answer.on('end', () => resolve(answer.statusCode ?? 0));
        answer.resume();
      });
      asked.on('error', (error) => resolve(error.message));
      asked.end();
    });
  let isEnding = false;
  const loop = async (): Promise<void> => {
    while (!isEnding) {
      const outcome = await ask();
      answers.set(outcome, (answers.get(outcome) ?? 0) + 1);
      // The workers that start need the processor.
      await setTimeout(5);
    }
    agent.destroy();
  };
  const ended = loop();
  return {
    answers,
    async end(): Promise<void> {
      isEnding = true;
      await ended;
    },
  };
}

describe.skipIf(process.platform !== 'linux')('several workers on one database', () => {
  describeEachDatabase('they', (database) => {
    async function start(more: Readonly<Record<string, string>>) {
      const cwd = await makeTempDir('workers');
      const port = await freePort();
      const url = await database.url();
      const env = { HCD_DATABASE_URL: url, HCD_WORKERS: '2', HCD_PORT: String(port), ...more };
      expect((await runCliProcess('migrate', { cwd, env })).code).toBe(0);
      const running = startCli('serve gateway', { cwd, env });
      await running.waitForStderr('listening on http://');
      await expect.poll(() => childrenOf(running.pid).length).toBe(2);
      await expect.poll(() => read(port).then(({ status }) => status)).toBe(200);
      return { running, port, url };
    }

    it('are replaced on SIGHUP without a failed request', async () => {
      const { running, port, url } = await start({ HCD_GATEWAY_RATE_LIMIT_ENABLED: '0' });
      const old = childrenOf(running.pid);
      const loads = [true, true, true, false, false].map((keepAlive) => startLoad(port, { keepAlive }));
      running.kill('SIGHUP');
      await running.waitForStderr('workers_replaced');
      const replaced = childrenOf(running.pid);
      expect([replaced.length, replaced.filter((pid) => old.includes(pid))]).toEqual([2, []]);
      for (const { end } of loads) await end();
      expect(loads.flatMap(({ answers }) => [...answers.keys()])).toEqual([200, 200, 200, 200, 200]);
      running.kill('SIGTERM');
      expect((await running.outcome).code).toBe(0);
      await expectSound(url);
    });

    it('count together and forget nothing when all of them are killed; without the first process they end', async () => {
      const limits = { HCD_GATEWAY_RATE_LIMIT_MAX_REQUESTS: '40', HCD_GATEWAY_RATE_LIMIT_WINDOW_SECONDS: '600' };
      const { running, port, url } = await start(limits);
      const statuses = async (count: number) =>
        (await Promise.all(Array.from({ length: count }, () => read(port)))).map(({ status }) => status);
      // The first request was made by start.
      expect(await statuses(19)).toEqual(Array(19).fill(200));
      const killed = childrenOf(running.pid);
      for (const pid of killed) process.kill(pid, 'SIGKILL');
      await expect.poll(() => childrenOf(running.pid).filter((pid) => !killed.includes(pid)).length).toBe(2);
      await expect.poll(() => read(port).then(({ status }) => status)).toBe(200);
      const rest = await statuses(30);
      expect([rest.filter((status) => status === 200).length, rest.filter((status) => status === 429).length]).toEqual([
        19, 11,
      ]);
      const left = childrenOf(running.pid);
      running.kill('SIGKILL');
      await running.outcome;
      await expect.poll(() => left.filter((pid) => existsSync(`/proc/${pid}`))).toEqual([]);
      expect((await read(port)).status).toBe(0);
      await expectSound(url);
    });
  });
});
