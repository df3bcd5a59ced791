/** The load: keep-alive connections that send requests for a time, check every answer and count the wrong ones. */
import { Agent, request } from 'node:http';
import type { Request } from './pages.js';

export interface Asking {
  readonly port: number;
  readonly seconds: number;
  readonly connections: number;
}

export interface Answers {
  readonly count: number;
  readonly seconds: number;
  /** Of all bodies. */
  readonly bytes: number;
  readonly errors: number;
  /** What was wrong with the first wrong answer. */
  readonly firstError: string | undefined;
}

export async function askFor(next: () => Request, { port, seconds, connections }: Asking): Promise<Answers> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const started = performance.now();
  const end = started + seconds * 1000;
  let count = 0;
  let bytes = 0;
  let errors = 0;
  let firstError: string | undefined;
  const client = async () => {
    do {
      const asked = next();
      count += 1;
      try {
        const answer = await send(asked, { port, agent });
        bytes += answer.body.length;
        check(asked, answer);
      } catch (error) {
        errors += 1;
        firstError ??= `${asked.method} ${asked.path}: ${error instanceof Error ? error.message : error}`;
      }
    } while (performance.now() < end);
  };
  await Promise.all(Array.from({ length: connections }, client));
  agent.destroy();
  return { count, bytes, errors, firstError, seconds: (performance.now() - started) / 1000 };
}

interface Answer {
  readonly status: number;
  readonly body: Buffer;
}

/** The last answer to a request that was read and found right. */
const checked = new WeakMap<Request, Buffer>();

function check(asked: Request, { status, body }: Answer): void {
  if (status !== 200 && status !== 201) throw new Error(`status ${status}: ${body.toString('utf8').slice(0, 300)}`);
  if (asked.isRepeatable && checked.get(asked)?.equals(body) === true) return;
  asked.check(JSON.parse(body.toString('utf8')));
  if (asked.isRepeatable) checked.set(asked, body);
}

function send(
  { method, path, headers = {}, body = '' }: Request,
  { port, agent }: { readonly port: number; readonly agent: Agent },
): Promise<Answer> {
  const form = body === '' ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  return new Promise((resolve, reject) => {
    const sent = request({ port, agent, method, path, headers: { ...headers, ...form } }, (answer) => {
      const pieces: Buffer[] = [];
      answer.on('data', (piece: Buffer) => pieces.push(piece));
      answer.on('error', reject);
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, body: Buffer.concat(pieces) }));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
