/** The stages by themselves: who waits and who does not, and what becomes of a fault that no stage catches. */
import { createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished, test } from 'vitest';
import { arrivals } from '../../../src/clock/turns.js';
import type { Stage } from '../../../src/http/interface/exchange.js';
import { Application } from '../../../src/http/server/app.js';
import { sendRaw } from '../../support/raw-socket.js';

/** Gives the port. */
async function serve(stages: readonly Stage[]): Promise<number> {
  const koa = new Application(stages);
  const server = createServer((req, res) =>
    arrivals.receive(() => koa.answer(req, res), { together: res.socket !== null }),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    await new Promise((resolve) => server.close(resolve));
  });
  return (server.address() as AddressInfo).port;
}

/** Gives the body of the answer, or the code of what went wrong. */
async function ask(stages: readonly Stage[]): Promise<string> {
  const port = await serve(stages);
  return new Promise((resolve) => {
    const request = get({ host: '127.0.0.1', port, agent: false }, (response) => {
      let body = '';
      response.on('data', (chunk: Buffer) => {
        body += chunk.toString();
      });
      response.on('end', () => resolve(body));
    });
    request.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'unknown'));
  });
}

it('runs the stages in their order and comes back through them, whether they wait or not', async () => {
  const steps: string[] = [];
  const outer: Stage = (_ctx, next) => {
    steps.push('outer in');
    return next();
  };
  const waiting: Stage = async (_ctx, next) => {
    await new Promise((resolve) => setImmediate(resolve));
    steps.push('waiting in');
    await next();
    steps.push('waiting out');
  };
  const inner: Stage = (ctx) => {
    steps.push('inner');
    ctx.res.end(steps.join(', '));
  };
  expect(await ask([outer, waiting, inner])).toBe('outer in, waiting in, inner');
  expect(steps.at(-1)).toBe('waiting out');
});

it('has answered when the listener returns where no stage waits', async () => {
  let isEnded: boolean | undefined;
  const answer: Stage = (ctx) => {
    ctx.res.end('at once');
  };
  const watch: Stage = (ctx, next) => {
    const pending: unknown = next();
    isEnded = pending === undefined && ctx.res.writableEnded;
    return pending;
  };
  expect(await ask([watch, answer])).toBe('at once');
  expect(isEnded).toBe(true);
});

test.each<[name: string, stage: Stage]>([
  [
    'at once',
    () => {
      throw new Error('a fault');
    },
  ],
  ['later', () => Promise.reject(new Error('a fault'))],
])('ends the connection and not the process on an uncaught fault, %s', async (_name, stage) => {
  expect(await ask([stage])).toBe('ECONNRESET');
});

it('distinguishes the beginning of a request from what follows a wait', async () => {
  const seen: boolean[] = [];
  const answer: Stage = async (ctx) => {
    seen.push(arrivals.isArriving);
    await Promise.resolve();
    seen.push(arrivals.isArriving);
    ctx.res.end('done');
  };
  expect(await ask([answer])).toBe('done');
  expect(seen).toEqual([true, false]);
});

it('takes a request behind another one of its connection for one that came later', async () => {
  const seen: boolean[] = [];
  const answer: Stage = (ctx) => {
    seen.push(arrivals.isArriving);
    ctx.res.end('done');
  };
  const request = (more: string) => `GET / HTTP/1.1\r\nHost: x\r\n${more}\r\n`;
  const port = await serve([answer]);
  await sendRaw({ port, bytes: request('') + request('') + request('Connection: close\r\n'), untilClose: true });
  expect(seen).toEqual([true, false, false]);
});
