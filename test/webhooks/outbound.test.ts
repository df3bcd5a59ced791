/**
 * The outbound client against receivers that do anything: what it sends, what each behaviour counts as, what it never
 * does.
 */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Clock, systemClock } from '../../src/clock/clock.js';
import { makeOutboundPolicy } from '../../src/webhooks/addresses/outbound-policy.js';
import { type Exchanger, openExchanger } from '../../src/webhooks/client/exchange.js';
import {
  type Outbound,
  type OutboundRequest,
  openOutbound,
  type ResolveName,
  type SendOutcome,
} from '../../src/webhooks/client/outbound.js';
import { repository } from '../architecture/source-file.js';
import { fakeClock } from '../support/clock.js';
import { eventually } from '../support/eventually.js';
import { makeTempDir } from '../support/temp-dir.js';
import { type Certificates, hasOpenssl, makeCertificates, startRawReceiver } from './raw-receiver.js';

const local = makeOutboundPolicy({ allowed: ['127.0.0.1', '127.0.0.2'] });
const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';

const opened: Outbound[] = [];

afterEach(() => {
  for (const outbound of opened.splice(0)) outbound.close();
});

function client(parts: { clock?: Clock; resolve?: ResolveName; exchanger?: Exchanger } = {}): Outbound {
  const outbound = openOutbound({ clock: systemClock, ...parts });
  opened.push(outbound);
  return outbound;
}

function post(url: string, more: Partial<OutboundRequest> = {}): OutboundRequest {
  return { url, headers: { 'Content-Type': 'application/json' }, body: '{"a":"ä"}', policy: local, ...more };
}

function answered(status: number, more: Partial<SendOutcome & { kind: 'answered' }> = {}): SendOutcome {
  return { kind: 'answered', status, retryAfter: null, bodyStart: '', ...more };
}

const failed = (reason: string) => ({ kind: 'failed', reason });

test('a request is these bytes and no others', async () => {
  const receiver = await startRawReceiver({ onRequest: (socket) => socket.end(ok) });
  const outcome = await client().send(
    post(`http://127.0.0.1:${receiver.port}/hook?x=1#y`, {
      headers: { 'Content-Type': 'application/json', 'X-Gateway-Event': 'a.b' },
    }),
  );
  expect(outcome).toEqual(answered(200, { bodyStart: 'ok' }));
  expect(receiver.received).toEqual([
    [
      'POST /hook?x=1 HTTP/1.1',
      'Content-Type: application/json',
      'X-Gateway-Event: a.b',
      `Host: 127.0.0.1:${receiver.port}`,
      'Content-Length: 10',
      'Accept-Encoding: identity',
      'Connection: keep-alive',
      '',
      Buffer.from('{"a":"ä"}').toString('latin1'),
    ].join('\r\n'),
  ]);
});

describe('what an answer counts as', () => {
  const many = (count: number): string => 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'.repeat(count);

  test.each<[name: string, bytes: string | Buffer, outcome: unknown]>([
    ['200', ok, answered(200, { bodyStart: 'ok' })],
    ['204', 'HTTP/1.1 204 No Content\r\n\r\n', answered(204)],
    ['200 of HTTP/1.0', 'HTTP/1.0 200 OK\r\n\r\nok', answered(200, { bodyStart: 'ok' })],
    [
      '400 with a text',
      'HTTP/1.1 400 Bad\r\nContent-Length: 8\r\n\r\nno thank',
      answered(400, { bodyStart: 'no thank' }),
    ],
    ['410', 'HTTP/1.1 410 Gone\r\nContent-Length: 0\r\n\r\n', answered(410)],
    [
      '429 with seconds',
      'HTTP/1.1 429 Wait\r\nRetry-After: 7\r\nContent-Length: 0\r\n\r\n',
      answered(429, { retryAfter: '7' }),
    ],
    [
      '503 with a date',
      'HTTP/1.1 503 No\r\nRetry-After: Sat, 21 Nov 2026 10:00:00 GMT\r\nContent-Length: 0\r\n\r\n',
      answered(503, { retryAfter: 'Sat, 21 Nov 2026 10:00:00 GMT' }),
    ],
    [
      '429 with an endless Retry-After',
      `HTTP/1.1 429 Wait\r\nRetry-After: ${'9'.repeat(5000)}\r\nContent-Length: 0\r\n\r\n`,
      answered(429, { retryAfter: '9'.repeat(100) }),
    ],
    ['500', 'HTTP/1.1 500 Oops\r\nContent-Length: 0\r\n\r\n', answered(500)],
    ['an unknown status', 'HTTP/1.1 799 What\r\nContent-Length: 0\r\n\r\n', answered(799)],
    ['ten interim answers first', `${many(10)}${ok}`, answered(200, { bodyStart: 'ok' })],
    ['too many interim answers', `${many(21)}${ok}`, failed('protocol')],
    ['100 and then the answer', `HTTP/1.1 100 Continue\r\n\r\n${ok}`, answered(200, { bodyStart: 'ok' })],
    ['another protocol', 'HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n', failed('protocol')],
    [
      'another protocol offered with the answer',
      'HTTP/1.1 200 OK\r\nUpgrade: h2c\r\nConnection: Upgrade\r\nContent-Length: 2\r\n\r\nok',
      answered(200, { bodyStart: 'ok' }),
    ],
    [
      'fewer bytes than announced',
      'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort',
      answered(200, { bodyStart: 'short' }),
    ],
    [
      'more bytes than announced',
      'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok, and more',
      expect.objectContaining({ kind: 'answered', status: 200 }),
    ],
    [
      'chunks that end too early',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab',
      answered(200, { bodyStart: 'ab' }),
    ],
    ['chunks that are none', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n', answered(200)],
    ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nok', failed('protocol')],
    ['no HTTP at all', 'SSH-2.0-OpenSSH_9.2\r\n', failed('protocol')],
    ['HTTP/0.9', '<html>hello</html>', failed('protocol')],
    ['a head without an end', `HTTP/1.1 200 OK\r\nX: ${'a'.repeat(20_000)}`, failed('protocol')],
    ['headers without number', `HTTP/1.1 200 OK\r\n${'X: a\r\n'.repeat(10_000)}\r\n`, failed('protocol')],
    ['the end in the middle of the head', 'HTTP/1.1 200 OK\r\nContent-Le', failed('reset')],
    ['the end before a byte', '', failed('reset')],
    [
      'gzip that was not asked for',
      Buffer.concat([
        Buffer.from('HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nConnection: close\r\n\r\n'),
        gzipSync(Buffer.alloc(10_000_000)),
      ]),
      answered(200),
    ],
    [
      'controls, marks and broken text',
      Buffer.from(
        'HTTP/1.1 500 Oops\r\nConnection: close\r\n\r\na\u001b[31mb\r\nc\u202ed\u2028e\u0000\xff f',
        'latin1',
      ),
      expect.objectContaining({
        kind: 'answered',
        status: 500,
        bodyStart: expect.not.stringMatching(/[\p{Cc}\p{Cf}\ufffd]/u),
      }),
    ],
  ])('%s', async (_name, bytes, outcome) => {
    const receiver = await startRawReceiver({ onRequest: (socket) => socket.end(bytes) });
    expect(await client().send(post(`http://127.0.0.1:${receiver.port}/`))).toEqual(outcome);
    await receiver.close();
  });

  test('only the beginning of a long text is kept', async () => {
    const receiver = await startRawReceiver({
      onRequest: (socket) => socket.end(`HTTP/1.1 500 Oops\r\nContent-Length: 60000\r\n\r\n${'x'.repeat(60_000)}`),
    });
    expect(await client().send(post(`http://127.0.0.1:${receiver.port}/`))).toEqual(
      answered(500, { bodyStart: 'x'.repeat(4096) }),
    );
  });

  test('an endless body is cut off by its size, before any time is up', async () => {
    let closed = false;
    const receiver = await startRawReceiver({
      onRequest: (socket) => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        const chunk = Buffer.alloc(65_536, 'x');
        const pour = (): void => {
          while (!closed && socket.write(chunk));
        };
        socket.on('drain', pour);
        socket.on('close', () => {
          closed = true;
        });
        pour();
      },
    });
    expect(await client({ clock: fakeClock() }).send(post(`http://127.0.0.1:${receiver.port}/`))).toEqual(
      answered(200, { bodyStart: 'x'.repeat(4096) }),
    );
    await eventually(() => expect(closed).toBe(true));
  });

  test.each([301, 302, 303, 307, 308])('a redirect with %i is not followed', async (status) => {
    const canary = await startRawReceiver({ onRequest: (socket) => socket.end(ok) });
    const receiver = await startRawReceiver({
      onRequest: (socket) =>
        socket.end(
          `HTTP/1.1 ${status} There\r\nLocation: http://127.0.0.1:${canary.port}/\r\nContent-Length: 0\r\n\r\n`,
        ),
    });
    expect(await client().send(post(`http://127.0.0.1:${receiver.port}/`))).toEqual(answered(status));
    expect(canary.received).toEqual([]);
  });
});

describe('connections', () => {
  test('one is used again for the same receiver', async () => {
    const receiver = await startRawReceiver({ onRequest: (socket) => socket.write(ok) });
    const outbound = client();
    for (let turn = 0; turn < 5; turn += 1) {
      expect(await outbound.send(post(`http://127.0.0.1:${receiver.port}/`))).toEqual(
        answered(200, { bodyStart: 'ok' }),
      );
    }
    expect(receiver.received.length).toBe(1);
  });

  test('one that the receiver closed meanwhile is replaced, and the request sent again', async () => {
    const receiver = await startRawReceiver({
      onRequest: (socket, count) => {
        if (count === 1) socket.write(ok);
        else socket.resetAndDestroy();
      },
    });
    const outbound = client();
    const send = () => outbound.send(post(`http://127.0.0.1:${receiver.port}/`));
    expect(await send()).toEqual(answered(200, { bodyStart: 'ok' }));
    expect(await send()).toEqual(answered(200, { bodyStart: 'ok' }));
    expect(receiver.received.length).toBe(2);
  });

  test('a new one that the receiver resets is not tried again', async () => {
    const receiver = await startRawReceiver({ onRequest: (socket) => socket.resetAndDestroy() });
    expect(await client().send(post(`http://127.0.0.1:${receiver.port}/`))).toEqual(failed('reset'));
    expect(receiver.received.length).toBe(1);
  });

  test('one whose receiver answers without taking the whole request is ended', async () => {
    let onClose = (): void => undefined;
    const closed = new Promise<void>((resolve) => {
      onClose = resolve;
    });
    let resume = (): void => undefined;
    const receiver = await startRawReceiver({
      onRequest: (socket) => {
        socket.pause();
        resume = () => void socket.resume();
        socket.on('close', onClose);
        socket.write('HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\n\r\n');
      },
    });
    const body = Buffer.alloc(32 * 1024 * 1024, 'x');
    expect(await client().send(post(`http://127.0.0.1:${receiver.port}/`, { body }))).toEqual(answered(413));
    resume();
    await closed;
    expect(receiver.received[0]?.length).toBeLessThan(body.length);
  });

  test('a closed port is a failure to connect', async () => {
    // The discard port: another program may get a port that was closed a moment ago.
    expect(await client().send(post('http://127.0.0.1:9/'))).toEqual(failed('connect'));
  });

  test('the next address of a name is tried at a closed port', async () => {
    const receiver = await startRawReceiver({ address: '127.0.0.2', onRequest: (socket) => socket.end(ok) });
    const outbound = client({ resolve: async () => ['127.0.0.1', '127.0.0.2'] });
    expect(await outbound.send(post(`http://receiver.example.com:${receiver.port}/`))).toEqual(
      answered(200, { bodyStart: 'ok' }),
    );
    expect(receiver.received[0]).toContain(`\r\nHost: receiver.example.com:${receiver.port}\r\n`);
  });

  test('one that leads to another address than the checked one carries nothing', async () => {
    const receiver = await startRawReceiver({ onRequest: (socket) => socket.end(ok) });
    // The unspecified address is answered by loopback.
    const policy = makeOutboundPolicy({ allowed: ['0.0.0.0'] });
    expect(await client().send(post(`http://0.0.0.0:${receiver.port}/`, { policy }))).toEqual(failed('connect'));
    expect(receiver.received.join('')).toBe('');
  });

  test('a name that turns to a closed address reaches it at no attempt of 1,000', async () => {
    const canary = await startRawReceiver({ address: '127.0.0.3', onRequest: (socket) => socket.write(ok) });
    const receiver = await startRawReceiver({
      address: '127.0.0.2',
      port: canary.port,
      onRequest: (socket) => socket.write(ok),
    });
    let lookups = 0;
    const outbound = client({
      resolve: async () => {
        lookups += 1;
        return lookups % 2 === 1 ? ['127.0.0.2'] : ['127.0.0.3'];
      },
    });
    const kinds: string[] = [];
    for (let turn = 0; turn < 1000; turn += 1) {
      kinds.push((await outbound.send(post(`http://receiver.example.com:${receiver.port}/`))).kind);
    }
    expect(kinds).toEqual(Array.from({ length: 1000 }, (_, turn) => (turn % 2 === 0 ? 'answered' : 'refused')));
    expect([lookups, canary.received.length, receiver.received.length]).toEqual([1000, 0, 1]);
  });

  test('what is refused looks the same whether a server listens there or not', async () => {
    const receiver = await startRawReceiver({ address: '127.0.0.3' });
    const free = await startRawReceiver({ address: '127.0.0.3' });
    await free.close();
    const outbound = client({ resolve: async () => ['127.0.0.3'] });
    for (const url of [
      `http://127.0.0.3:${receiver.port}/`,
      `http://127.0.0.3:${free.port}/`,
      `http://a.example.com:${receiver.port}/`,
      `http://a.example.com:${free.port}/`,
    ]) {
      expect([url, await outbound.send(post(url))]).toEqual([
        url,
        { kind: 'refused', reason: 'not allowed by policy' },
      ]);
    }
    expect(receiver.received).toEqual([]);
  });

  test('no proxy of the environment is used', async () => {
    const proxy = await startRawReceiver({ onRequest: (socket) => socket.end(ok) });
    const receiver = await startRawReceiver({ onRequest: (socket) => socket.end(ok) });
    const address = `http://127.0.0.1:${proxy.port}`;
    const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'all_proxy'];
    const built = join(repository, 'dist/src');
    const program = `
      const { openOutbound } = await import('${built}/webhooks/client/outbound.js');
      const { makeOutboundPolicy } = await import('${built}/webhooks/addresses/outbound-policy.js');
      const { systemClock } = await import('${built}/clock/clock.js');
      const policy = makeOutboundPolicy({ allowed: ['127.0.0.1'] });
      const outbound = openOutbound({ clock: systemClock });
      const request = { url: 'http://127.0.0.1:${receiver.port}/', headers: {}, body: '', policy };
      console.log(JSON.stringify(await outbound.send(request)));
      outbound.close();`;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program], {
      env: {
        ...process.env,
        ...Object.fromEntries(names.map((name) => [name, address])),
        NO_PROXY: '',
        NODE_USE_ENV_PROXY: '1',
      },
    });
    expect(JSON.parse(stdout)).toEqual(answered(200, { bodyStart: 'ok' }));
    expect([proxy.received.length, receiver.received.length]).toEqual([0, 1]);
  });
});

describe('the limit of time', () => {
  test.each<[name: string, first: string]>([
    ['a receiver that never answers', ''],
    ['a head that comes byte by byte', 'HTTP/1.1 2'],
    ['interim answers without the answer', 'HTTP/1.1 102 Processing\r\n\r\n'],
  ])('ends %s', async (_name, first) => {
    const clock = fakeClock();
    const receiver = await startRawReceiver({ onRequest: (socket) => socket.write(first) });
    const sending = client({ clock }).send(post(`http://127.0.0.1:${receiver.port}/`));
    await receiver.heard();
    await clock.advance(15_000);
    expect(await sending).toEqual(failed('timeout'));
    expect(clock.pending).toBe(0);
  });

  test('lasts 15 seconds and not less', async () => {
    const clock = fakeClock();
    let answer = (): void => undefined;
    const receiver = await startRawReceiver({
      onRequest: (socket) => {
        answer = () => void socket.end(ok);
      },
    });
    const sending = client({ clock }).send(post(`http://127.0.0.1:${receiver.port}/`));
    await receiver.heard();
    await clock.advance(14_999);
    answer();
    expect(await sending).toEqual(answered(200, { bodyStart: 'ok' }));
  });

  test('is shorter for the body, without which the status counts', async () => {
    const clock = fakeClock();
    const receiver = await startRawReceiver({
      onRequest: (socket) => socket.write('HTTP/1.1 202 Yes\r\nContent-Length: 100\r\n\r\nso far'),
    });
    let outcome: SendOutcome | undefined;
    void client({ clock })
      .send(post(`http://127.0.0.1:${receiver.port}/`))
      .then((found) => {
        outcome = found;
      });
    await receiver.heard();
    await eventually(() => expect(clock.pending).toBe(2));
    await clock.advance(2000);
    expect(outcome).toMatchObject({ kind: 'answered', status: 202 });
  });

  test('ends a look-up after 5 seconds', async () => {
    const clock = fakeClock();
    const sending = client({ clock, resolve: () => new Promise(() => undefined) }).send(
      post('http://slow.example.com/'),
    );
    await clock.advance(5000);
    expect(await sending).toEqual(failed('dns'));
    expect(clock.pending).toBe(0);
  });

  test('ends the attempt at one address of several after 4 seconds', async () => {
    const clock = fakeClock();
    const receiver = await startRawReceiver({ address: '127.0.0.2', onRequest: (socket) => socket.end(ok) });
    const sending = client({ clock, resolve: async () => ['127.0.0.1', '127.0.0.2'] }).send(
      post(`http://receiver.example.com:${receiver.port}/`),
    );
    // No connection comes up before the event loop turns; the clock does not need it to.
    await clock.advance(4000);
    expect(await sending).toEqual(answered(200, { bodyStart: 'ok' }));
    expect(clock.pending).toBe(0);
  });

  test('ends a handshake that does not go on', async () => {
    const clock = fakeClock();
    let connected = (): void => undefined;
    const connection = new Promise<void>((resolve) => {
      connected = resolve;
    });
    const receiver = await startRawReceiver({ onConnect: (socket) => socket.once('data', () => connected()) });
    const sending = client({ clock }).send(post(`https://127.0.0.1:${receiver.port}/`));
    await connection;
    await clock.advance(15_000);
    expect(await sending).toEqual(failed('timeout'));
  });
});

describe('the signal of the caller', () => {
  test('stops a request that waits', async () => {
    const receiver = await startRawReceiver({});
    const stop = new AbortController();
    const sending = client().send(post(`http://127.0.0.1:${receiver.port}/`, { signal: stop.signal }));
    await receiver.heard();
    stop.abort();
    expect(await sending).toEqual({ kind: 'stopped' });
  });

  test('lets nothing out when it is set already', async () => {
    const receiver = await startRawReceiver({});
    const sending = client().send(post(`http://127.0.0.1:${receiver.port}/`, { signal: AbortSignal.abort() }));
    expect([await sending, receiver.received]).toEqual([{ kind: 'stopped' }, []]);
  });
});

const withOpenssl = hasOpenssl();
if (!withOpenssl) process.stderr.write('openssl is not installed: the tests of TLS receivers are skipped\n');

describe.skipIf(!withOpenssl)('TLS', () => {
  let certificates: Certificates;
  const resolve = async () => ['127.0.0.1'];

  beforeAll(async () => {
    certificates = makeCertificates(await makeTempDir('certificates'));
  });

  function trusting(): Outbound {
    return client({ resolve, exchanger: openExchanger({ clock: systemClock, authorities: [certificates.authority] }) });
  }

  test('sends to a receiver whose certificate is for its name, with that name', async () => {
    const names: unknown[] = [];
    const receiver = await startRawReceiver({
      tls: {
        ...certificates.valid,
        SNICallback: (name, done) => {
          names.push(name);
          done(null);
        },
      },
      onRequest: (socket) => socket.write(ok),
    });
    const outbound = trusting();
    const url = `https://receiver.example.com:${receiver.port}/`;
    expect(await outbound.send(post(url))).toEqual(answered(200, { bodyStart: 'ok' }));
    expect(await outbound.send(post(url))).toEqual(answered(200, { bodyStart: 'ok' }));
    expect([names, receiver.received.length]).toEqual([['receiver.example.com'], 1]);
  });

  test('a kept connection of one name is not used for another at the same address', async () => {
    const receiver = await startRawReceiver({ tls: certificates.valid, onRequest: (socket) => socket.write(ok) });
    const outbound = trusting();
    expect(await outbound.send(post(`https://receiver.example.com:${receiver.port}/`))).toMatchObject({ status: 200 });
    expect(await outbound.send(post(`https://other.example.com:${receiver.port}/`))).toEqual(failed('tls'));
  });

  test('sends to an address whose certificate is for the address', async () => {
    const receiver = await startRawReceiver({
      tls: certificates.validForAddress,
      onRequest: (socket) => socket.end(ok),
    });
    expect(await trusting().send(post(`https://127.0.0.1:${receiver.port}/`))).toEqual(
      answered(200, { bodyStart: 'ok' }),
    );
  });

  test.each<[name: string, kind: Exclude<keyof Certificates, 'authority'>, host: string]>([
    ['self-signed', 'selfSigned', 'receiver.example.com'],
    ['for another name', 'wrongName', 'receiver.example.com'],
    ['for a name, not the address', 'valid', '127.0.0.1'],
    ['expired', 'expired', 'receiver.example.com'],
  ])('a certificate that is %s is refused, with private addresses open too', async (_name, kind, host) => {
    const receiver = await startRawReceiver({ tls: certificates[kind], onRequest: (socket) => socket.end(ok) });
    const url = `https://${host}:${receiver.port}/`;
    const policy = makeOutboundPolicy({ allowPrivate: true });
    expect(await trusting().send(post(url, { policy }))).toEqual(failed('tls'));
    expect(receiver.received.join('')).toBe('');
  });

  test('an unknown authority is refused, whatever the environment says', async () => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    const receiver = await startRawReceiver({ tls: certificates.valid, onRequest: (socket) => socket.end(ok) });
    expect(await client({ resolve }).send(post(`https://receiver.example.com:${receiver.port}/`))).toEqual(
      failed('tls'),
    );
    vi.unstubAllEnvs();
  });

  test('a receiver without TLS is refused', async () => {
    const receiver = await startRawReceiver({ onConnect: (socket) => socket.end(ok) });
    expect(await trusting().send(post(`https://receiver.example.com:${receiver.port}/`))).toEqual(failed('tls'));
  });
});
