/** A connection that closes while turns are given gives its own back. */
import { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { expect, it } from 'vitest';
import { Connections } from '../../../src/http/connections/connections.js';
import { changes, reads } from '../../../src/http/connections/load.js';

const limits = {
  ...{ maxConnections: 1000, stallMs: 30_000, maxWaiting: 32, maxUnsentBytes: 1e6, maxTotalUnsentBytes: 1e9 },
  ...{ maxQueueMs: 100, maxRequestsPerSocket: 1000 },
};
const long = 900_000;

function setUp() {
  let now = 0;
  const clock = { elapsed: () => now, now: () => now } as ConstructorParameters<typeof Connections>[0]['clock'];
  const connections = new Connections({ clock, limits, log: () => undefined });
  const accept = (caller: string) => {
    const socket = Object.assign(new EventEmitter(), { destroyed: false, writableLength: 0, writableEnded: false });
    connections.add(socket as unknown as Socket, caller);
    const request = { req: { socket } as unknown as IncomingMessage, res: { socket } as unknown as ServerResponse };
    const ask = (api: string, onBegun: (isRefused: boolean) => void) => {
      const asker = { group: api, caller };
      connections.receive({ ...request, asker, isHealth: false }, ({ isRefused }) => onBegun(isRefused));
    };
    const close = () => {
      socket.destroyed = true;
      socket.emit('close');
    };
    return { ask, close, goOn: (bytes: number) => connections.isTurnRefused({ ...request, caller, bytes }) };
  };
  const pass = (milliseconds: number) => {
    now += milliseconds;
  };
  return { accept, pass };
}

it('a change whose connection a refusal closes keeps no place', async () => {
  const { accept, pass } = setUp();
  const writer = accept('writer');
  writer.ask(changes, () => undefined);
  let refused = 0;
  const readers = Array.from({ length: 200 }, (_, at) => accept(`reader ${at % 2}`));
  for (const { ask } of readers) {
    ask(reads, (isRefused) => {
      if (isRefused) refused += 1;
      if (refused === 1) writer.close();
    });
  }
  pass(1000);
  void writer.goOn(long);
  await expect.poll(() => refused).toBeGreaterThan(0);
  for (const { close } of readers) close();

  let goingOn = 0;
  for (let at = 0; at < 12; at += 1) {
    const { ask, goOn } = accept(`other ${at}`);
    ask(changes, () => {
      void goOn(10).then(() => {
        goingOn += 1;
      });
    });
  }
  await expect.poll(() => goingOn).toBe(12);
});
