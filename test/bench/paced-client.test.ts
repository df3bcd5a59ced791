/** The client of fixed times: as many requests as were asked for, each another visitor, and bad answers counted. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';

const program = join(import.meta.dirname, '../../dist/bench/tracking/paced-client.js');

async function run(
  status: number,
  { first, answersOfConnection = 0 }: { first: number; answersOfConnection?: number },
) {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    seen.push(`${request.url} ${String(request.headers['x-forwarded-for'])}`);
    response.writeHead(status, { Location: '/' }).end();
  });
  server.maxRequestsPerSocket = answersOfConnection;
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? String(address?.port) : '';
  const args = ['--port', port, '--path', '/to', '--rate', '300', '--first', String(first), '--connections', '3'];
  const { stdout } = await promisify(execFile)(process.execPath, [program, ...args]);
  return { seen, figures: JSON.parse(stdout) as { answers: number; bad: number; p50Ms: number; p99Ms: number } };
}

describe.skipIf(!existsSync(program))('paced load', () => {
  it('sends the requested rate, each request from another visitor', async () => {
    const { seen, figures } = await run(302, { first: 2_000_000 });
    expect(figures).toMatchObject({ answers: 300, bad: 0 });
    expect(figures.p99Ms).toBeGreaterThanOrEqual(figures.p50Ms);
    expect(figures.p50Ms).toBeGreaterThan(0);
    const visitors = Array.from({ length: 300 }, (_, n) => 2_000_000 + n);
    expect(seen.toSorted()).toEqual(
      visitors.map((n) => `/to 20.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`).toSorted(),
    );
  });

  it('opens new connections when the server closes them', async () => {
    const { seen, figures } = await run(302, { first: 0, answersOfConnection: 10 });
    expect([figures.answers, figures.bad, new Set(seen).size]).toEqual([300, 0, 300]);
  });

  it('counts answers that are neither a redirect nor a pixel', async () => {
    const { figures } = await run(503, { first: 0 });
    expect(figures).toMatchObject({ answers: 300, bad: 300 });
  });
});
