/** What a handler sees of the turn in which its request arrived. */
import { expect, it } from 'vitest';
import { arrivals } from '../../../src/clock/waiting-line.js';
import { rawGet, sendRaw } from '../../support/raw-socket.js';
import { row, startTestServer } from '../../support/server.js';

const empty = { status: 204, body: { kind: 'empty' }, caching: { kind: 'never' } } as const;

it('distinguishes the beginning of a request from what follows a wait', async () => {
  const seen: boolean[] = [];
  const handler = async () => {
    seen.push(arrivals.isArriving);
    await Promise.resolve();
    seen.push(arrivals.isArriving);
    return empty;
  };
  const server = await startTestServer({ endpoints: [row({ name: 'x', path: '/x', handler })] });
  expect((await server.ask('/api/v1/x')).status).toBe(204);
  expect(seen).toEqual([true, false]);
});

it('takes a request behind another one of its connection for one that came later', async () => {
  const seen: boolean[] = [];
  const handler = () => {
    seen.push(arrivals.isArriving);
    return empty;
  };
  const { port } = await startTestServer({ endpoints: [row({ name: 'x', path: '/x', handler })] });
  const bytes = rawGet('/api/v1/x') + rawGet('/api/v1/x') + rawGet('/api/v1/x', ['Connection: close']);
  await sendRaw({ port, bytes, untilClose: true });
  expect(seen).toEqual([true, false, false]);
});
