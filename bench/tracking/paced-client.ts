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

/** A connection, and when what it waits for should have been sent; null when it waits for nothing. */
interface Line {
  readonly socket: Socket;
  dueAt: number | null;
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
      // In turn: a server may end a connection after so many answers.
      const line = free.shift();
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
  const line: Line = { socket, dueAt: null };
  socket.on('data', (chunk) => answered(line, chunk.toString('latin1')));
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', () => resolve());
    socket.once('error', reject);
  });
  // An answer that never comes fails the run; and at the end no request waits for a connection.
  socket.once('close', () => {
    if (line.dueAt !== null) throw new Error('a connection ended before the answer came');
  });
  socket.unref();
  give(line);
}

function ask(line: Line, dueAt: number): void {
  line.dueAt = dueAt;
  const address = visitorAddress(visitor);
  visitor += 1;
  line.socket.write(
    `GET ${values.path} HTTP/1.1\r\nHost: localhost\r\nUser-Agent: ${userAgent}\r\nX-Forwarded-For: ${address}\r\n\r\n`,
  );
}

function answered(line: Line, text: string): void {
  // Else it is the rest of an answer.
  if (line.dueAt === null || !text.startsWith('HTTP/1.1 ')) return;
  if (!['200', '302'].includes(text.slice(9, 12))) bad += 1;
  latencies.push(performance.now() - line.dueAt);
  line.dueAt = null;
  if (/\r\nconnection: close\r\n/i.test(text)) {
    line.socket.destroy();
    void openLine();
  } else give(line);
}

/** To the request that waits longest for a connection, or to the next one. */
function give(line: Line): void {
  const waiting = late.shift();
  if (waiting === undefined) free.push(line);
  else ask(line, waiting);
}
