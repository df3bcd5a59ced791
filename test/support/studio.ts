/** Runs `hcd studio` in this process, and asks it as its page does. */
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
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
  /** The cookie, for which the token is given once. */
  signIn(): Promise<string>;
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
    once(streams.stdout, 'data'),
    outcome.then(() => Promise.reject(new Error(String(streams.stdout.read())))),
  ]);
  const { url: address, token } = JSON.parse(String(line));
  const port = Number(new URL(address).port);
  let cookie = '';
  const send: Studio['send'] = async (path, { method = 'GET', headers = {}, body } = {}) => {
    // After the answer it is no error that a refused body was not read to its end.
    const sent = request({ host: '127.0.0.1', port, path, method, headers, agent: false }).on('error', () => {});
    sent.end(body);
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    const said = await text(response);
    const isJson = response.headers['content-type']?.startsWith('application/json') === true;
    const { statusCode: status = 0 } = response;
    return { status, headers: response.headers, text: said, body: isJson ? JSON.parse(said) : null };
  };
  const signIn = async (): Promise<string> => {
    if (cookie === '') {
      const { headers } = await send('/session', { method: 'POST', ...json({ token }) });
      cookie = String(headers['set-cookie']).split(';', 1)[0] ?? '';
    }
    return cookie;
  };
  const studio: Studio = {
    ...{ address, port, token, outcome, send, signIn },
    run: async (given) => {
      const { headers, body } = json(given);
      const signed = { ...headers, Cookie: await signIn(), 'X-Studio': '1' };
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

export function json(value: unknown): Required<Pick<Sent, 'headers' | 'body'>> {
  return { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(value) };
}
