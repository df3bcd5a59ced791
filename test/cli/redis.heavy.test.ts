/** Redis on the command line: servers that share it, refusals at the start, what doctor and config show say of it. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { systemClock } from '../../src/clock/clock.js';
import type { CheckRow } from '../../src/operations/doctor/run-checks.js';
import { openStore } from '../../src/store/open/open.js';
import { runCli, runCliProcess, startCli } from '../support/cli.js';
import { freshSqliteUrl } from '../support/databases.js';
import { describeWithRedis } from '../support/describe-with-redis.js';
import { freePort } from '../support/free-port.js';
import { startRedis } from '../support/redis-server.js';
import { makeTempDir } from '../support/temp-dir.js';
import { hasOpenssl, makeCertificates } from '../webhooks/raw-receiver.js';

const password = 'not-to-be-shown';

/** What doctor says of Redis. */
async function findings(env: Readonly<Record<string, string>>): Promise<[string, string][]> {
  const outcome = await runCli('doctor --json', {
    clock: systemClock,
    openStore,
    env: { HCD_DATABASE_URL: await freshSqliteUrl(), ...env },
  });
  expect(outcome.stdout + outcome.stderr).not.toContain(password);
  const { data }: { data: CheckRow[] } = JSON.parse(outcome.stdout);
  return data.filter(({ check }) => check === 'redis').map(({ state, detail }) => [state, detail]);
}

describeWithRedis('hcd serve with Redis', () => {
  it('counts together with another server, whose database is another one, and with its own workers', async () => {
    const { url } = await startRedis({ password });
    const servers = await Promise.all(
      ['1', '2'].map(async (workers) => {
        const port = await freePort();
        const env = {
          HCD_REDIS_URL: url,
          HCD_WORKERS: workers,
          HCD_PORT: String(port),
          HCD_GATEWAY_RATE_LIMIT_MAX_REQUESTS: '50',
        };
        const running = startCli('serve gateway', { cwd: await makeTempDir('redis-site'), env });
        await running.waitForStderr('listening on http://');
        return { port, running };
      }),
    );
    const answers = await Promise.all(
      Array.from({ length: 200 }, async (_, index) => {
        const { port } = servers[index % 2] ?? { port: 0 };
        const answer = await fetch(`http://127.0.0.1:${port}/api/v1/schema`, { headers: { connection: 'close' } });
        await answer.text();
        return answer;
      }),
    );
    for (const { running } of servers) running.kill('SIGTERM');
    for (const { running } of servers) {
      const { code, stderr } = await running.outcome;
      expect([code, stderr.includes('redis_unavailable'), stderr.includes(password)]).toEqual([0, false, false]);
    }
    expect([200, 429].map((wanted) => answers.filter(({ status }) => status === wanted).length)).toEqual([50, 150]);
    const passed = answers.filter(({ status }) => status === 200);
    const left = passed.map(({ headers }) => Number(headers.get('x-ratelimit-remaining'))).sort((a, b) => a - b);
    expect(left).toEqual(Array.from({ length: 50 }, (_, index) => index));
    expect(new Set(answers.map(({ headers }) => headers.get('x-ratelimit-reset'))).size).toBe(1);
  });

  it('does not start with a wrong password, and does not show it', async () => {
    const { port } = await startRedis({ password: 'another' });
    const env = { HCD_REDIS_URL: `redis://:${password}@127.0.0.1:${port}`, HCD_PORT: '0' };
    const { code, stdout, stderr } = await runCliProcess('serve gateway', { cwd: await makeTempDir('redis'), env });
    expect([code, stdout]).toEqual([3, '']);
    expect(stderr).toContain('HCD_REDIS_URL (redis in hcd.toml): Redis refuses the user name or password');
    expect(stderr).not.toContain(password);
  });

  it('starts while Redis is down, and stops at once on a signal', async () => {
    const redis = await startRedis();
    await redis.kill();
    const env = { HCD_REDIS_URL: redis.url, HCD_PORT: '0' };
    const running = startCli('serve gateway', { cwd: await makeTempDir('redis'), env });
    await running.waitForStderr('listening on http://');
    running.kill('SIGTERM');
    const { code, stderr } = await running.outcome;
    expect(code).toBe(0);
    expect(stderr.match(/"event":"redis_unavailable"/g)).toHaveLength(1);
    expect(stderr).toContain('"code":"ECONNREFUSED"');
  });
});

describeWithRedis('hcd doctor', () => {
  it('says where requests are counted, and what is wrong with Redis', async () => {
    const redis = await startRedis({ password });
    const shown = `redis://:***@127.0.0.1:${redis.port}`;
    expect(await findings({})).toEqual([['ok', 'requests are counted in the memory of each process']]);
    expect(await findings({ HCD_WORKERS: '2' })).toEqual([
      ['ok', 'requests are counted in the first process, for all its workers'],
    ]);
    expect(await findings({ HCD_REDIS_URL: redis.url })).toEqual([['ok', `requests are counted in Redis at ${shown}`]]);
    expect(await findings({ HCD_REDIS_URL: redis.url, HCD_RATE_LIMIT_STORE: 'memory' })).toEqual([
      [
        'ok',
        'requests are counted in the memory of each process; rate_limit_store is memory, so HCD_REDIS_URL is used for revocations only',
      ],
    ]);
    expect(await findings({ HCD_REDIS_URL: `redis://:wrong-${password}@127.0.0.1:${redis.port}` })).toEqual([
      ['error', `${shown}: Redis refuses the user name or password; hcd serve does not start`],
    ]);
    await redis.kill();
    expect(await findings({ HCD_REDIS_URL: redis.url })).toEqual([
      [
        'error',
        `${shown}: Redis does not answer (ECONNREFUSED); meanwhile each process counts alone, or answers 503 (setting gateway_rate_limit_without_counter)`,
      ],
    ]);
  });
});

it('hcd config show masks the password of Redis', async () => {
  const env = { HCD_REDIS_URL: `rediss://hcd:${password}@cache.example/1`, HCD_REDIS_PREFIX: 'site:' };
  const { code, stdout } = await runCli('config show', { env });
  expect(code).toBe(0);
  expect(stdout).toContain('redis\trediss://hcd:***@cache.example/1\tenvironment\ttrue\n');
  expect(stdout).toContain('redis_prefix\tsite:\tenvironment\ttrue\n');
});

describeWithRedis('Redis with TLS', () => {
  it.skipIf(!hasOpenssl())('counts when its certificate is trusted, and not otherwise', async () => {
    const directory = await makeTempDir('redis-tls');
    const { authority } = makeCertificates(directory);
    await writeFile(join(directory, 'authority.pem'), authority);
    const port = await freePort();
    const files = ['--tls-cert-file', join(directory, 'address.pem'), '--tls-key-file', join(directory, 'address.key')];
    await startRedis({ more: ['--tls-port', String(port), ...files, '--tls-auth-clients', 'no'] });
    const doctor = async (env: Readonly<Record<string, string>>): Promise<string> => {
      const cwd = await makeTempDir('redis');
      const given = { HCD_REDIS_URL: `rediss://127.0.0.1:${port}`, ...env };
      const { stdout } = await runCliProcess('doctor --all', { cwd, env: given });
      return /^redis\t.*$/m.exec(stdout)?.[0] ?? '';
    };
    const trusted = await doctor({ NODE_EXTRA_CA_CERTS: join(directory, 'authority.pem') });
    expect(trusted).toContain(`ok\trequests are counted in Redis at rediss://127.0.0.1:${port}`);
    expect(await doctor({})).toContain('Redis does not answer (UNABLE_TO_VERIFY_LEAF_SIGNATURE)');
    const plain = await doctor({ HCD_REDIS_URL: `redis://127.0.0.1:${port}` });
    expect(plain).toMatch(/Redis does not answer \((closed|ECONNRESET)\)/);
  });
});
