/** Two workers of one server, as processes: what one of them wrote, the other one no longer serves from memory. */
import { describe, expect, it } from 'vitest';
import { runCliProcess, startCli } from '../support/cli.js';
import { freePort } from '../support/free-port.js';
import { expectSound } from '../support/sound-store.js';
import { makeTempDir } from '../support/temp-dir.js';

interface Read {
  readonly title: unknown;
  readonly age: number;
}

/** Requests over connections of their own, so that any worker may get each of them. */
function client(base: string, key: string) {
  return {
    async write(path: string, method: string, body: unknown): Promise<number> {
      const answer = await fetch(`${base}${path}`, {
        method,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', connection: 'close' },
        body: JSON.stringify(body),
      });
      expect(answer.status).toBeLessThan(300);
      return ((await answer.json()) as { data: { id: number } }).data.id;
    },
    read: (path: string): Promise<Read[]> =>
      Promise.all(
        Array.from({ length: 6 }, async () => {
          const answer = await fetch(`${base}${path}`, { headers: { connection: 'close' } });
          const { data } = (await answer.json()) as { data: { pagetitle: unknown } };
          return { title: data.pagetitle, age: Number(answer.headers.get('age')) };
        }),
      ),
  };
}

describe.skipIf(process.platform !== 'linux')('two workers', () => {
  it('never serve a state older than an answered write', async () => {
    const cwd = await makeTempDir('workers');
    const port = await freePort();
    const running = startCli('serve gateway', {
      cwd,
      env: {
        HCD_WORKERS: '2',
        HCD_PORT: String(port),
        HCD_GATEWAY_RATE_LIMIT_ENABLED: '0',
        HCD_GATEWAY_CACHE_ENABLED: '1',
      },
    });
    try {
      await running.waitForStderr('listening on http://');
      const made = await runCliProcess('key create --name writer --scopes * --json', { cwd });
      const { key } = (JSON.parse(made.stdout) as { data: { key: string } }).data;
      const { read, write } = client(`http://127.0.0.1:${port}/api/v1`, key);
      const changing = await write('/resources', 'POST', { pagetitle: 'Changing', alias: 'changing', published: true });
      const still = await write('/resources', 'POST', { pagetitle: 'Still', alias: 'still', published: true });

      await read(`/resources/${still}`);
      for (let turn = 0; turn < 40; turn += 1) {
        const title = `Title ${turn}`;
        await write(`/resources/${changing}`, 'PATCH', { pagetitle: title });
        expect(new Set((await read(`/resources/${changing}`)).map((one) => one.title))).toEqual(new Set([title]));
      }
      // None of these writes touched the other answer: it grows old in both memories.
      const ages = async () => (await read(`/resources/${still}`)).map(({ age }) => age);
      await expect.poll(async () => Math.min(...(await ages()))).toBeGreaterThanOrEqual(1);
    } finally {
      running.kill('SIGTERM');
      expect((await running.outcome).code).toBe(0);
      await expectSound(`sqlite:${cwd}/hcd.sqlite`);
    }
  });
});
