/** Bodies that are made while they are sent: headers, errors before and after the first piece, clients that go or stall, stopping. */
import type { IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { AppError } from '../../../src/errors/app-error.js';
import type { Endpoint, Reply } from '../../../src/http/interface/endpoint.js';
import { fakeClock } from '../../support/clock.js';
import { deferred } from '../../support/deferred.js';
import { row, startTestServer } from '../../support/server.js';

type Source = () => AsyncIterable<string | Uint8Array>;

function streaming(open: Source, more: Partial<Endpoint> = {}): Endpoint {
  return row({
    name: 'stream',
    path: '/stream',
    produces: ['text/csv'],
    handler: async (): Promise<Reply> => ({
      status: 200,
      headers: { 'Content-Disposition': 'attachment; filename="f.csv"' },
      body: { kind: 'stream', type: 'text/csv; charset=utf-8', open },
      caching: { kind: 'never' },
    }),
    ...more,
  });
}

const address = '/api/v1/stream';
/** The gateway of the test server keeps answers of anonymous callers only while its cache is on. */
const settings = { gateway_cache_enabled: false };

async function* pieces(...given: readonly (string | Uint8Array)[]) {
  yield* given;
}

test('sends the pieces in their order, without length and entity tag', async () => {
  const open = () => pieces('a,b\r\n', '', Buffer.from('ü\r\n'), 'end');
  const server = await startTestServer({ settings, endpoints: [streaming(open)] });
  const answer = await server.ask(address);
  expect([answer.status, answer.text]).toEqual([200, 'a,b\r\nü\r\nend']);
  expect(answer.headers).toMatchObject({
    ...{ 'content-type': 'text/csv; charset=utf-8', 'content-disposition': 'attachment; filename="f.csv"' },
    ...{ 'transfer-encoding': 'chunked', 'x-content-type-options': 'nosniff' },
  });
  expect([answer.headers['content-length'], answer.headers.etag]).toEqual([undefined, undefined]);
  const finished = server.log.filter((fact) => fact.kind === 'request_finished');
  expect(finished).toMatchObject([{ status: 200, route: '/stream' }]);
});

test('no piece at all is an empty body', async () => {
  const server = await startTestServer({ settings, endpoints: [streaming(() => pieces())] });
  const answer = await server.ask(address);
  expect([answer.status, answer.text]).toEqual([200, '']);
});

test('HEAD has the headers of GET and ends the making at the first piece', async () => {
  const steps: string[] = [];
  const open = async function* () {
    try {
      steps.push('first');
      yield 'x';
      steps.push('second');
      yield 'y';
    } finally {
      steps.push('end');
    }
  };
  const server = await startTestServer({ settings, endpoints: [streaming(open)] });
  const head = await server.ask(address, { method: 'HEAD' });
  expect([head.status, head.text, steps]).toEqual([200, '', ['first', 'end']]);
  const get = await server.ask(address);
  const names = ({ 'transfer-encoding': _coding, ...headers }: IncomingHttpHeaders) => Object.keys(headers).sort();
  expect(names(head.headers)).toEqual(names(get.headers));
  expect(head.headers['content-disposition']).toBe('attachment; filename="f.csv"');
});

test('what fails before the first piece is answered as an error', async () => {
  const open = async function* () {
    yield* pieces();
    throw new AppError('database_unreachable', { details: { retryAfter: 5 } });
  };
  const server = await startTestServer({ settings, endpoints: [streaming(open)] });
  const answer = await server.ask(address);
  const { 'content-type': type, 'content-disposition': disposition } = answer.headers;
  expect([answer.status, type, disposition]).toEqual([503, 'application/problem+json; charset=utf-8', undefined]);
});

test('ends the connection when a later piece fails, so that no client takes a part for the whole', async () => {
  const open = async function* () {
    yield 'half\r\n';
    throw new Error('the rest is lost');
  };
  const server = await startTestServer({ settings, endpoints: [streaming(open)] });
  await expect(server.ask(address)).rejects.toMatchObject({ code: 'ECONNRESET' });
  const finished = server.log.find((fact) => fact.kind === 'request_finished');
  expect(finished).toMatchObject({ status: 200, error: new Error('the rest is lost') });
  expect((await server.ask('/api/v1/nothing')).status).toBe(404);
});

/** An endless body that tells how many pieces were asked for and when it was ended. */
function endless(size: number) {
  const ended = deferred();
  const state = { made: 0 };
  const open = async function* () {
    try {
      for (;;) {
        state.made += 1;
        yield 'x'.repeat(size);
      }
    } finally {
      ended.resolve();
    }
  };
  return { open, ended: ended.promise, state };
}

const request = `GET ${address} HTTP/1.1\r\nHost: a\r\n\r\n`;

test('a client that goes away ends the making', async () => {
  const { open, ended } = endless(1000);
  const server = await startTestServer({ settings, endpoints: [streaming(open)] });
  const socket = connect(server.port, '127.0.0.1');
  socket.write(request);
  await new Promise((resolve) => socket.once('data', resolve));
  socket.destroy();
  await ended;
  expect((await server.ask('/api/v1/nothing')).status).toBe(404);
});

test('makes only what the client takes, closes a connection that takes nothing for half a minute, and spares a slow one', async () => {
  const clock = fakeClock();
  const { open, ended, state } = endless(100_000);
  const server = await startTestServer({ settings, clock, endpoints: [streaming(open)] });
  const socket = connect(server.port, '127.0.0.1');
  socket.pause();
  socket.write(request);
  const still = async (): Promise<number> => {
    for (;;) {
      const before = state.made;
      for (let turn = 0; turn < 500; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      if (before > 0 && state.made === before) return before;
    }
  };
  // What fits into the buffers of the two sockets, and nothing beyond.
  const made = await still();
  expect(made).toBeLessThan(200);
  await clock.advance(29_000);
  expect(state.made).toBe(made);
  // Takes some, slowly: it has another half minute.
  await new Promise<void>((resolve) => {
    let taken = 0;
    socket.on('data', (chunk: Buffer) => {
      taken += chunk.length;
      if (taken > 5_000_000) {
        socket.pause();
        socket.removeAllListeners('data');
        resolve();
      }
    });
    socket.resume();
  });
  expect(await still()).toBeGreaterThan(made);
  await clock.advance(29_000);
  expect(socket.destroyed).toBe(false);
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.on('error', () => undefined);
  await clock.advance(2_000);
  await ended;
  socket.resume();
  await closed;
});

/** A body that stops after its first part until the gate opens. */
function heldBody() {
  const [begun, gate] = [deferred(), deferred()];
  const open = async function* () {
    yield 'first ';
    begun.resolve();
    await gate.promise;
    yield 'last';
  };
  return { begun, gate, open };
}

test('a body that is being sent outlives the longest time of a request', async () => {
  const clock = fakeClock();
  const { begun, gate, open } = heldBody();
  const server = await startTestServer({ settings, clock, endpoints: [streaming(open)] });
  const asked = server.ask(address);
  await begun.promise;
  await clock.advance(300_000);
  gate.resolve();
  expect((await asked).text).toBe('first last');
});

test('a body that is being sent is sent to its end when the server stops, and ends its connection', async () => {
  const { begun, gate, open } = heldBody();
  const server = await startTestServer({ settings, endpoints: [streaming(open)] });
  const asked = server.ask(address);
  await begun.promise;
  const closing = server.server.close();
  gate.resolve();
  expect((await asked).text).toBe('first last');
  await closing;
});

test('stopping does not wait longer than its grace for a body without end', async () => {
  const { open, ended, state } = endless(1000);
  const server = await startTestServer({ settings, endpoints: [streaming(open)], limits: { graceMs: 50 } });
  const asked = server.ask(address).catch((error: NodeJS.ErrnoException) => error.code);
  while (state.made < 2) await new Promise((resolve) => setImmediate(resolve));
  await server.server.close();
  await ended;
  expect(await asked).toBe('ECONNRESET');
});

test('other requests are answered while a body is sent', async () => {
  const { open, ended, state } = endless(10);
  const server = await startTestServer({ settings, endpoints: [streaming(open)] });
  const socket = connect(server.port, '127.0.0.1');
  socket.on('data', () => undefined);
  socket.write(request);
  await new Promise((resolve) => socket.once('data', resolve));
  const before = state.made;
  expect((await server.ask('/api/v1/nothing')).status).toBe(404);
  expect(state.made).toBeGreaterThan(before);
  socket.destroy();
  await ended;
});
