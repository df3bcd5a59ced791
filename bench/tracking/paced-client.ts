/**
 * A program that asks at fixed times, each time as another visitor, however long the answers take: what a server
 * computes for a request when it is not kept busy to its limit. Prints its figures as one line of JSON.
 */
import { connect, type Socket } from 'node:net';
import { parseArgs } from 'node:util';
import { userAgent, visitorAddress } from './visitors.js';

const { values } = parseArgs({
  strict: true,
  options: {
    port: { type: 'string', default: '' },
    path: { type: 'string', default: '/' },
    rate: { type: 'string', default: '1000' },
    seconds: { type: 'string', default: '1' },
    connections: { type: 'string', default: '32' },
    first: { type: 'string', default: '0' },
  },
});
const rate = Number(values.rate);
const wanted = rate * Number(values.seconds);

/** A connection, and when what it waits for should have been sent. */
interface Line {
  readonly socket: Socket;
  dueAt: number;
}

const latencies: number[] = [];
let bad = 0;
let sent = 0;
let visitor = Number(values.first);
const free: Line[] = [];
/** Times of requests for which no connection was free. */
const late: number[] = [];

await Promise.all(Array.from({ length: Number(values.connections) }, openLine));
const startedAt = performance.now();
await new Promise<void>((resolve) => {
  const look = () => {
    const due = Math.min(wanted, Math.floor(((performance.now() - startedAt) / 1000) * rate));
    for (; sent < due; sent += 1) {
      const dueAt = startedAt + (sent / rate) * 1000;
      const line = free.pop();
      if (line === undefined) late.push(dueAt);
      else ask(line, dueAt);
    }
    if (latencies.length >= wanted) resolve();
    // Never asleep: a server that had to wake it would compute that.
    else setImmediate(look);
  };
  look();
});
for (const { socket } of free) socket.destroy();
latencies.sort((a, b) => a - b);
const at = (share: number) => latencies[Math.floor(latencies.length * share)] ?? Number.NaN;
process.stdout.write(`${JSON.stringify({ answers: latencies.length, bad, p50Ms: at(0.5), p99Ms: at(0.99) })}\n`);

async function openLine(): Promise<void> {
  const socket = connect(Number(values.port), '127.0.0.1');
  socket.setNoDelay(true);
  const line: Line = { socket, dueAt: 0 };
  socket.on('data', (chunk) => answered(line, chunk.toString('latin1', 0, 12)));
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', () => resolve());
    socket.once('error', reject);
  });
  // A server that ends a connection, or answers no more, fails the run.
  socket.once('close', () => {
    if (latencies.length < wanted) throw new Error('a connection ended');
  });
  free.push(line);
}

function ask(line: Line, dueAt: number): void {
  line.dueAt = dueAt;
  const address = visitorAddress(visitor);
  visitor += 1;
  line.socket.write(
    `GET ${values.path} HTTP/1.1\r\nHost: localhost\r\nUser-Agent: ${userAgent}\r\nX-Forwarded-For: ${address}\r\n\r\n`,
  );
}

function answered(line: Line, start: string): void {
  // Else it is the rest of an answer.
  if (!start.startsWith('HTTP/1.1 ')) return;
  if (!['200', '302'].includes(start.slice(9))) bad += 1;
  latencies.push(performance.now() - line.dueAt);
  const waiting = late.shift();
  if (waiting === undefined) free.push(line);
  else ask(line, waiting);
}
