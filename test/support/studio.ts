/** Runs `hcd studio` in this process, and asks it as its page does. */
import { request } from 'node:http';
import { PassThrough } from 'node:stream';
import { onTestFinished } from 'vitest';
import { main } from '../../commands/main.js';
import type { Clock } from '../../src/clock/clock.js';
import { openStore } from '../../src/store/open/open.js';
import { splitLine } from './cli.js';
import { fakeClock } from './clock.js';
import { patientLimits } from './patient-limits.js';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests compare it
  readonly body: any;
}

interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface Studio {
  /** With the token. */
  readonly address: string;
  readonly port: number;
  readonly token: string;
  readonly outcome: Promise<number>;
  send(path: string, sent?: Sent): Promise<Answer>;
  /** With the cookie. */
  run(request: object): Promise<Answer>;
  stop(): void;
}

interface Given {
  readonly flags?: string;
  readonly clock?: Clock;
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts it in this process; it ends with the test. */
export async function startStudio(
  url: string,
  { flags = '', clock = fakeClock(), env = {} }: Given = {},
): Promise<Studio> {
  const streams = { stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough() };
  const stopping = new AbortController();
  const host = {
    ...{ streams, clock, env: { HCD_DATABASE_URL: url, ...env }, cwd: '/nowhere', canListen: async () => true },
    openStore: (options: Parameters<typeof openStore>[0]) => openStore({ ...options, limits: patientLimits }),
    stop: stopping.signal,
    writer: 'cli' as const,
  };
  const outcome = main(splitLine(`studio --json ${flags}`), host);
  const [line] = await Promise.race([
    once(streams.stdout),
    outcome.then(() => Promise.reject(new Error(String(streams.stdout.read())))),
  ]);
  const { url: address, token } = JSON.parse(String(line));
  const port = Number(new URL(address).port);
  let cookie = '';
  const send: Studio['send'] = (path, { method = 'GET', headers = {}, body } = {}) =>
    new Promise((resolve, reject) => {
      const sent = request({ host: '127.0.0.1', port, path, method, headers, agent: false }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          const isJson = response.headers['content-type']?.startsWith('application/json') === true;
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text,
            body: isJson ? JSON.parse(text) : null,
          });
        });
        response.on('error', reject);
      });
      sent.on('error', reject);
      sent.end(body);
    });
  const signedIn = async (): Promise<string> => {
    if (cookie === '') cookie = cookieOf(await send('/session', { method: 'POST', ...json({ token }) }));
    return cookie;
  };
  const studio: Studio = {
    ...{ address, port, token, outcome, send },
    run: async (given) => {
      const { headers, body } = json(given);
      const signed = { ...headers, Cookie: await signedIn(), 'X-Studio': '1' };
      return send('/run', { method: 'POST', body, headers: signed });
    },
    stop: () => stopping.abort(),
  };
  onTestFinished(async () => {
    studio.stop();
    await studio.outcome;
  });
  return studio;
}

function once(stream: PassThrough): Promise<[Buffer]> {
  return new Promise((resolve) => stream.once('data', (chunk: Buffer) => resolve([chunk])));
}

export function json(value: unknown): Required<Pick<Sent, 'headers' | 'body'>> {
  return { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(value) };
}

export function cookieOf({ headers }: Answer): string {
  return String(headers['set-cookie']).split(';', 1)[0] ?? '';
}
