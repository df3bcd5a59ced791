/** Heads of answers as text: the same as those that Node makes of names and values. */
import { expect, test } from 'vitest';
import type { Reply } from '../../../src/http/interface/endpoint.js';
import { rawGet, sendRaw } from '../../support/raw-socket.js';
import { row, startTestServer } from '../../support/server.js';

const never = { kind: 'never' } as const;
const replies: Readonly<Record<string, Reply>> = {
  json: { status: 200, body: { kind: 'json', value: { text: 'ä ☃' } }, caching: never },
  long: { status: 200, body: { kind: 'json', value: 'ä ☃'.repeat(2000) }, caching: never },
  late: { status: 200, body: { kind: 'json', value: `${'a'.repeat(5000)}é` }, caching: never },
  pair: { status: 200, body: { kind: 'json', value: '😀' }, caching: never },
  made: {
    status: 201,
    body: { kind: 'json', value: {} },
    headers: { Location: '/made/1', 'X-Two': '2' },
    caching: never,
  },
  moved: { status: 302, body: { kind: 'empty' }, headers: { Location: 'https://a.example/' }, caching: never },
  nothing: { status: 204, body: { kind: 'empty' }, caching: never },
};

const methods = ['GET', 'HEAD'] as const;
const cases = [...Object.keys(replies), 'no-such-route'].flatMap((name) => methods.map((method) => ({ name, method })));

test.each(cases)('$method of $name has the head that Node makes', async ({ name, method }) => {
  const endpoints = Object.entries(replies).map(([path, reply]) =>
    row({ name: path, path: `/${path}`, handler: () => reply }),
  );
  const { port } = await startTestServer({ endpoints });
  const answer = async (connection: string) => {
    const lines = [`Connection: ${connection}`, 'X-Request-ID: request-0001'];
    const bytes = rawGet(`/api/v1/${name}`, lines).replace('GET', method);
    const { text } = await sendRaw({ port, bytes, head: method === 'HEAD' });
    return text.replace(/\r\nDate: [^\r]+/, '\r\nDate: now').replace(/\r\nKeep-Alive: timeout=65/, '');
  };
  // Node makes the head of an answer that ends its connection.
  const byNode = (await answer('close')).replace('\r\nConnection: close', '\r\nConnection: keep-alive');
  expect(await answer('keep-alive')).toBe(byNode);
});

test.each(['keep-alive', 'close'])(
  'answers 500 instead of a header with a line break (Connection: %s)',
  async (connection) => {
    const headers = { 'X-Bad': 'a\r\nSet-Cookie: b' };
    const handler = (): Reply => ({ status: 200, body: { kind: 'empty' }, headers, caching: never });
    const { port, log } = await startTestServer({ endpoints: [row({ name: 'bad', path: '/bad', handler })] });
    const answer = await sendRaw({ port, bytes: rawGet('/api/v1/bad', [`Connection: ${connection}`]) });
    expect([answer.status, answer.headers.has('set-cookie')]).toEqual([500, false]);
    expect(log.length).toBe(1);
  },
);
