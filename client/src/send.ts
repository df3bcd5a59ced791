/** Sends requests: again where the server asks for it, and with the entity tags of answers that are kept. */
import { type Problem, ProblemError } from './problem.js';

export interface SendOptions {
  /** Instead of the global one. */
  readonly fetch?: typeof globalThis.fetch;
  /** How often a request is sent again: 3. */
  readonly retries?: number;
  /** Seconds that a request waits at most before it is sent again: 60. A longer `Retry-After` is an error. */
  readonly longestWait?: number;
  /** Characters of answers that are kept for their entity tags: 4,000,000; 0 keeps none. */
  readonly keep?: number;
}

export interface RequestOptions {
  readonly signal?: AbortSignal;
  readonly headers?: Readonly<Record<string, string>>;
  /** More for `fetch`, such as `next` of Next.js or `cf` of Cloudflare. Answers to it are not kept. */
  readonly init?: object;
}

export interface Sent {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly init: object | undefined;
  readonly signal: AbortSignal | undefined;
  /** Whether the answer may be kept, and shown while it has not changed. */
  readonly isKept: boolean;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** The decoded body; null without one. */
  readonly body: unknown;
}

interface Kept {
  readonly etag: string;
  readonly text: string;
  readonly headers: Headers;
}

export interface Sender {
  send(sent: Sent): Promise<Answer>;
  /** The answer as it comes, asked for once; a ProblemError where it is refused. */
  open(sent: Sent): Promise<Response>;
}

export function sender({ fetch: given, retries = 3, longestWait = 60, keep = 4e6 }: SendOptions): Sender {
  // Called as a function of nothing: some runtimes refuse another `this`.
  const ask = given ?? ((...all: Parameters<typeof fetch>) => fetch(...all));
  const kept = new Map<string, Kept>();
  let size = 0;

  function forget(url: string): void {
    size -= kept.get(url)?.text.length ?? 0;
    kept.delete(url);
  }

  function remember(url: string, answer: Kept): void {
    forget(url);
    if (answer.text.length > keep / 4) return;
    kept.set(url, answer);
    size += answer.text.length;
    for (const oldest of kept.keys()) {
      if (size <= keep && kept.size <= 1000) break;
      forget(oldest);
    }
  }

  function fetched({ method, url, headers, body, signal, init }: Sent, known?: Kept): Promise<Response> {
    const asked: RequestInit = init === undefined ? {} : { ...init };
    asked.method = method;
    asked.headers = known === undefined ? headers : { ...headers, 'if-none-match': known.etag };
    if (body !== undefined) asked.body = JSON.stringify(body);
    if (signal) asked.signal = signal;
    return ask(url, asked);
  }

  async function once(sent: Sent): Promise<Answer | ProblemError> {
    const { url, isKept } = sent;
    const known = isKept ? kept.get(url) : undefined;
    const response = await fetched(sent, known);
    const text = await response.text();
    if (known && response.status === 304) {
      remember(url, known);
      return { status: 200, headers: known.headers, body: JSON.parse(known.text) };
    }
    if (!response.ok) return refusalOf(response, text);
    const etag = isKept && keep > 0 ? response.headers.get('etag') : null;
    if (etag) remember(url, { etag, text, headers: response.headers });
    return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) };
  }

  async function send(sent: Sent): Promise<Answer> {
    const { method, headers, signal } = sent;
    // The server answers a keyed request twice in the same way, and does its work once.
    const isRepeatable = method === 'GET' || 'idempotency-key' in headers;
    for (let attempt = 0; ; attempt += 1) {
      const answer = await once(sent).catch((error: unknown) => {
        if (!isRepeatable || attempt >= retries || signal?.aborted || !(error instanceof TypeError)) throw error;
        return null;
      });
      if (answer !== null && !(answer instanceof ProblemError)) return answer;
      const wait = answer?.retryAfter ?? Math.min(2 ** attempt / 4, longestWait);
      if (answer !== null) {
        const isBusy = answer.status === 429 || answer.status === 503;
        const isLost = isRepeatable && (answer.status === 502 || answer.status === 504);
        if (!(isBusy || isLost) || attempt >= retries || wait > longestWait) throw answer;
      }
      await pause(wait * 1000, signal);
    }
  }

  return {
    send,
    async open(sent) {
      const response = await fetched(sent);
      if (!response.ok) throw refusalOf(response, await response.text());
      return response;
    },
  };
}

function refusalOf({ status, headers }: Response, text: string): ProblemError {
  return new ProblemError(status, problemOf(text), waitOf(headers));
}

function problemOf(text: string): Problem {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null ? (body as Problem) : {};
  } catch {
    return {};
  }
}

/** Seconds or a date; scripts of other origins see the end of the window of the rate limit only. */
function waitOf(headers: Headers): number | null {
  const after = headers.get('retry-after');
  const left = headers.get('x-ratelimit-remaining');
  const until = after ? Date.parse(after) : left === '0' ? Number(headers.get('x-ratelimit-reset')) * 1000 : Number.NaN;
  if (after && /^\d+$/.test(after)) return Number(after);
  return Number.isNaN(until) ? null : Math.max(0, (until - Date.now()) / 1000);
}

export function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end);
      resolve();
    }, milliseconds);
    if (signal?.aborted) end();
    else signal?.addEventListener('abort', end, { once: true });
  });
}
