/** Follows the changes of a site: reads the stream of `/changes`, and connects again where it ends. */
import { ProblemError } from './problem.js';
import { pause } from './send.js';

/** What became stale: answers with one of the tags, or after a `reset` any answer. */
export type Change =
  | { readonly id: string; readonly tags: readonly string[] }
  | { readonly id: string; readonly reset: true };

interface Following {
  /** Connects. Rejects with a ProblemError where the server refuses. */
  readonly open: (after: string | undefined, signal: AbortSignal) => Promise<Response>;
  readonly after: string | undefined;
  readonly signal: AbortSignal | undefined;
}

/** The server sends something every 25 seconds. */
const longestSilence = 60_000;
const longestPause = 30;

export async function* changesOf({ open, after, signal }: Following): AsyncGenerator<Change, void, undefined> {
  let last = after;
  let failures = 0;
  while (!signal?.aborted) {
    const connection = new AbortController();
    const end = (): void => connection.abort(signal?.reason);
    signal?.addEventListener('abort', end, { once: true });
    let wait: number | null = null;
    try {
      const response = await open(last, connection.signal);
      for await (const { id, event, data } of eventsOf(response, connection)) {
        failures = 0;
        last = id ?? last;
        if (event === 'reset') yield { id: last ?? '', reset: true };
        if (event === 'change') yield { id: last ?? '', tags: (JSON.parse(data ?? '') as { tags: string[] }).tags };
      }
    } catch (error) {
      if (error instanceof ProblemError) {
        if (![429, 502, 503, 504].includes(error.status)) throw error;
        wait = error.retryAfter;
      } else if (!(error instanceof TypeError) && !connection.signal.aborted) throw error;
    } finally {
      signal?.removeEventListener('abort', end);
      connection.abort();
    }
    // An aborted pause ends the loop.
    await pause(1000 * (wait ?? Math.min(2 ** failures, longestPause)), signal).catch(() => undefined);
    failures += 1;
  }
}

type Fields = { readonly [name in 'id' | 'event' | 'data']?: string };

async function* eventsOf({ body }: Response, connection: AbortController): AsyncGenerator<Fields, void, undefined> {
  if (body === null) return;
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  for (;;) {
    const timer = setTimeout(() => connection.abort(), longestSilence);
    const { value, done } = await reader.read().finally(() => clearTimeout(timer));
    if (done) return;
    const blocks = (rest + decoder.decode(value, { stream: true })).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      yield Object.fromEntries(block.split('\n').map((line) => line.split(/: ?(.*)/s, 2) as [string, string]));
    }
  }
}
