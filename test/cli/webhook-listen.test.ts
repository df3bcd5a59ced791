/**
 * `hcd webhook listen`: what it prints and answers, verification, sending on, and the whole way from a change to it.
 */
import { request } from 'node:http';
import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { main } from '../../commands/main.js';
import { systemClock } from '../../src/clock/clock.js';
import { createWebhookSecret } from '../../src/crypto/webhook-secret.js';
import { openStore } from '../../src/store/open/open.js';
import { deliveryHeaders } from '../../src/webhooks/rules/signatures.js';
import { runCli, splitLine } from '../support/cli.js';
import { prepareCliDatabase } from '../support/cli-database.js';
import { freshSqliteUrl } from '../support/databases.js';
import { freePort } from '../support/free-port.js';
import { startWebhookReceiver } from '../support/webhook-receiver.js';
import { refused } from './outcomes.js';

interface Listening {
  readonly port: number;
  readonly stdout: () => string;
  readonly outcome: Promise<number>;
  stop(): void;
}

/** Starts it in this process and waits until it listens. */
async function listen(flags: string, env: Readonly<Record<string, string>> = {}): Promise<Listening> {
  const streams = { stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough() };
  const stopping = new AbortController();
  let stdout = '';
  let stderr = '';
  streams.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString();
  });
  const said = new Promise<number>((resolve) => {
    streams.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk.toString();
      const port = /^listening on http:\/\/127\.0\.0\.1:(\d+)\n/.exec(stderr)?.[1];
      if (port !== undefined) resolve(Number(port));
    });
  });
  const words = splitLine(`webhook listen ${flags.includes('--port') ? '' : '--port 0'} ${flags}`);
  const host = {
    streams,
    env,
    cwd: '/nowhere',
    clock: systemClock,
    openStore,
    canListen: async () => true,
    stop: stopping.signal,
    writer: 'cli' as const,
  };
  const outcome = main(words, host);
  const ended = outcome.then((code) => Promise.reject(new Error(`ended with ${code}: ${stderr}`)));
  ended.catch(() => undefined);
  return { port: await Promise.race([said, ended]), stdout: () => stdout, outcome, stop: () => stopping.abort() };
}

interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  readonly path?: string;
}

/** Sends a request and gives the status of the answer. */
function send(port: number, { method = 'POST', headers = {}, body = '', path = '/' }: Sent): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, method, path, headers: { ...headers } }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    // A server that refuses a body before its end resets what is still being sent.
    sent.on('error', reject);
    sent.end(body);
  });
}

const secret = createWebhookSecret();
const body = '{"id":"e1","type":"resources.updated","data":{"id":"1"}}';
const seconds = () => Math.floor(Date.now() / 1000);

function signed(given: { secrets?: readonly string[]; timestamp?: number } = {}): Record<string, string> {
  const { secrets = [secret], timestamp = seconds() } = given;
  return { ...deliveryHeaders({ eventId: 'e1', event: 'resources.updated', deliveryId: 7, body, secrets, timestamp }) };
}

describe('hcd webhook listen', () => {
  test('prints what comes, verified, and answers 204', async () => {
    const listening = await listen(`--secret ${secret} --count 1`);
    expect(await send(listening.port, { headers: signed(), body, path: '/any/path?x=1' })).toBe(204);
    expect(await listening.outcome).toBe(0);
    expect(listening.stdout().split('\n').slice(1)).toEqual([
      '  id e1, delivery 7',
      '  {',
      '    "id": "e1",',
      '    "type": "resources.updated",',
      '    "data": {',
      '      "id": "1"',
      '    }',
      '  }',
      '  answered 204',
      '',
    ]);
    expect(listening.stdout()).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ resources\.updated verified\n/);
  });

  test('says why a delivery is not verified, and ends with 1 then', async () => {
    const listening = await listen(`--secret ${createWebhookSecret()} --count 1`);
    expect(await send(listening.port, { headers: signed(), body })).toBe(204);
    expect(await listening.outcome).toBe(1);
    expect(listening.stdout()).toContain(
      'Z resources.updated NOT verified: webhook-signature matches another secret or another body; X-Gateway-Signature matches another secret or another body\n',
    );
  });

  test('knows an old delivery, a changed body and a missing signature', async () => {
    const listening = await listen(`--secret ${secret} --json --count 4`);
    await send(listening.port, { headers: signed({ timestamp: seconds() - 400 }), body });
    await send(listening.port, { headers: signed(), body: body.replace('"1"', '"2"') });
    await send(listening.port, { body });
    await send(listening.port, { headers: signed(), body });
    expect(await listening.outcome).toBe(1);
    const lines = listening.stdout().trimEnd().split('\n');
    const records = lines.map((line) => (JSON.parse(line) as { data: Record<string, unknown> }).data);
    expect(records.map(({ signature }) => signature)).toEqual(['failed', 'failed', 'failed', 'verified']);
    expect(records.map(({ problems }) => String(problems))).toEqual([
      expect.stringMatching(
        /^webhook-timestamp is 40\d s in the past; 300 s are allowed,t of X-Gateway-Signature is 40\d s/,
      ),
      expect.stringContaining('matches another secret or another body'),
      'it has neither webhook-signature nor X-Gateway-Signature',
      '',
    ]);
    expect(records[3]).toEqual({
      received_on: expect.stringMatching(/Z$/),
      event: 'resources.updated',
      event_id: 'e1',
      delivery_id: '7',
      timestamp: expect.stringMatching(/^\d+$/),
      signature: 'verified',
      problems: [],
      secrets: [1],
      payload: { id: 'e1', type: 'resources.updated', data: { id: '1' } },
      forwarded: null,
      answered: 204,
    });
  });

  test('checks nothing without a secret, shows any text, and lets none of it steer the terminal', async () => {
    const listening = await listen('--count 2');
    await send(listening.port, { body: 'plain \u001b[31m text' });
    await send(listening.port, { headers: { 'x-gateway-event': 'x' }, body: '{"type":"\\u009b31m"}' });
    expect(await listening.outcome).toBe(0);
    expect(listening.stdout()).toContain(
      'Z no event not checked: no secret given\n  plain \\u001b[31m text\n  answered 204\n',
    );
    expect(listening.stdout()).toContain('"type": "\\u009b31m"');
  });

  test('answers with the given status', async () => {
    const listening = await listen('--status 503 --count 1');
    expect(await send(listening.port, { body })).toBe(503);
    expect(await listening.outcome).toBe(0);
    expect(listening.stdout()).toContain('  answered 503\n');
  });

  test('takes POSTs only, and bodies of 10 MiB at most', async () => {
    const listening = await listen('--count 1');
    expect(await send(listening.port, { method: 'GET' })).toBe(405);
    const long = Buffer.alloc(10 * 1024 * 1024 + 1, 'x');
    expect(await send(listening.port, { body: long }).catch(() => 413)).toBe(413);
    expect(listening.stdout()).toBe('');
    expect(await send(listening.port, { body: long.subarray(1) })).toBe(204);
    expect(await listening.outcome).toBe(0);
    expect(listening.stdout()).toMatch(/x… \(\d+ more characters\)\n {2}answered 204\n$/);
  });

  describe('--forward', () => {
    test('sends the exact bytes on with their headers, and answers as the application does', async () => {
      const application = await startWebhookReceiver();
      application.answerWith(() => 418);
      const listening = await listen(`--secret ${secret} --forward ${application.url} --count 1`);
      const headers = signed();
      expect(await send(listening.port, { headers: { ...headers, 'x-more': 'yes' }, body })).toBe(418);
      expect(await listening.outcome).toBe(0);
      expect(application.received).toEqual([
        {
          path: '/hook',
          body,
          headers: expect.objectContaining({ ...headers, 'x-more': 'yes', host: `127.0.0.1:${application.port}` }),
        },
      ]);
      expect(listening.stdout()).toMatch(/\n {2}answered 418 \(by the application, \d+ ms\)\n$/);
    });

    test('answers 502 when the application does not answer', async () => {
      // The discard port: another program may get a port that was closed a moment ago.
      const listening = await listen('--forward http://127.0.0.1:9/ --count 1 --json');
      expect(await send(listening.port, { body })).toBe(502);
      await listening.outcome;
      expect(JSON.parse(listening.stdout())).toMatchObject({
        data: {
          forwarded: { status: null, error: 'No connection to the receiver', duration_ms: expect.any(Number) },
          answered: 502,
        },
      });
    });

    test('never forwards to itself', async () => {
      const port = await freePort();
      const listening = await listen(`--port ${port} --forward http://127.0.0.1:${port}/ --count 1 --json`);
      expect(await send(listening.port, { body })).toBe(502);
      expect(await listening.outcome).toBe(0);
      expect(JSON.parse(listening.stdout())).toMatchObject({
        data: { forwarded: { status: null, error: 'The address is not allowed by policy' } },
      });
    });

    test.each([
      ['an invalid URL', '--forward nonsense', '--forward must begin with http:// or https:// and a host'],
      [
        'a status beside it',
        '--forward http://127.0.0.1:1/ --status 500',
        '--status cannot be combined with --forward',
      ],
    ])('refuses %s', async (_name, flags, message) => {
      expect(await runCli(`webhook listen ${flags}`)).toEqual(
        refused(`hcd: ${message}\nSee hcd webhook listen --help.\n`, 2),
      );
    });
  });

  test('says that the port is taken', async () => {
    const listening = await listen('');
    const { code, stderr } = await runCli(`webhook listen --port ${listening.port}`);
    expect([code, stderr.split('\n')[0]]).toEqual([
      3,
      `hcd: Another process already listens on 127.0.0.1:${listening.port}`,
    ]);
    listening.stop();
    expect(await listening.outcome).toBe(0);
  });

  test('ends although a connection is held open', async () => {
    const listening = await listen('');
    const held = request({
      host: '127.0.0.1',
      port: listening.port,
      method: 'POST',
      headers: { 'content-length': '10' },
    });
    const cut = new Promise((resolve) => held.once('error', resolve));
    held.write('12345');
    await new Promise<void>((resolve) => held.once('socket', (socket) => socket.once('connect', () => resolve())));
    listening.stop();
    expect(await listening.outcome).toBe(0);
    await cut;
  });

  test('--webhook takes the secrets of a subscription, two of them during a rotation', async () => {
    const env = { HCD_GATEWAY_WEBHOOK_ALLOW_PRIVATE_URLS: '1' };
    const db = await prepareCliDatabase(await freshSqliteUrl());
    const port = await freePort();
    await db.run(`webhook add --url http://127.0.0.1:${port}/ --events *`, { env });
    await db.run('webhook rotate-secret 1 --overlap 1d');
    const own = { ...env, HCD_DATABASE_URL: db.url };
    const listening = await listen('--webhook 1 --count 1', own);
    await db.run(`webhook update 1 --url http://127.0.0.1:${listening.port}/`, { env });
    expect((await db.run('webhook test 1', { env, clock: systemClock })).code).toBe(0);
    expect(await listening.outcome).toBe(0);
    expect(listening.stdout()).toMatch(/^\S+ webhook\.test verified by secrets 1 and 2\n/);

    const unknown = await db.run('webhook listen --webhook 9');
    expect([unknown.code, unknown.stderr]).toEqual([
      1,
      'hcd: There is no webhook subscription 9; hcd webhook list shows every subscription\n',
    ]);
    const foreign = await db.run('webhook listen --webhook 1', {
      env: { HCD_SECRET: 'another root secret of some length' },
    });
    expect([foreign.code, foreign.stderr.startsWith('hcd: The secret of the subscription 1 cannot be read')]).toEqual([
      1,
      true,
    ]);
  });
});
