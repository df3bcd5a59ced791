/** How the client follows changes: what it yields, when it connects again, and how it ends. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Change, createClient } from '../../client/src/client.js';

type Reply = Response | Error;

const change = (id: number, ...tags: string[]) => `id: ${id}\nevent: change\ndata: ${JSON.stringify({ tags })}\n\n`;
const began = (id: number) => `retry: 2000\nid: ${id}\n\n`;

/** A stream of these pieces, which then ends, breaks, or stays open. */
function stream(pieces: readonly string[], end: 'ends' | 'breaks' | 'stays' = 'ends'): Response {
  const rest = [...pieces];
  return new Response(
    new ReadableStream({
      pull(controller) {
        const piece = rest.shift();
        if (piece !== undefined) controller.enqueue(new TextEncoder().encode(piece));
        else if (end === 'ends') controller.close();
        else if (end === 'breaks') controller.error(new TypeError('terminated'));
        else return new Promise(() => undefined);
        return undefined;
      },
    }),
  );
}

/** A client whose connections get these answers in turn; where it asked, and when. */
function following(replies: readonly (() => Reply)[]) {
  const asked: { url: string; seconds: number; signal: AbortSignal }[] = [];
  const start = Date.now();
  const fetch = async (url: unknown, { signal }: RequestInit = {}): Promise<Response> => {
    asked.push({ url: String(url), seconds: (Date.now() - start) / 1000, signal: signal as AbortSignal });
    const reply = replies[asked.length - 1]?.() ?? stream([], 'stays');
    if (reply instanceof Error) throw reply;
    // As fetch does: an aborted request ends its answer.
    if (!reply.ok || reply.body === null) return reply;
    const reader = reply.body.getReader();
    const body = new ReadableStream({
      start: (controller) => signal?.addEventListener('abort', () => controller.error(signal.reason)),
      async pull(controller) {
        const { value, done } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(value);
      },
    });
    return new Response(body);
  };
  return { client: createClient({ url: 'https://site.example', fetch: fetch as typeof globalThis.fetch }), asked };
}

async function take(changes: AsyncGenerator<Change>, count: number): Promise<Change[]> {
  const taken: Change[] = [];
  const work = (async () => {
    for await (const one of changes) if (taken.push(one) === count) break;
  })();
  let isDone = false;
  const done = work.finally(() => (isDone = true));
  done.catch(() => undefined);
  while (!isDone) {
    // What is there is read before the clock of the test goes on.
    await new Promise((resolve) => setImmediate(resolve));
    if (!isDone) await vi.advanceTimersToNextTimerAsync();
  }
  await done;
  return taken;
}

describe('following changes', () => {
  beforeEach(
    () => void vi.useFakeTimers({ now: Date.UTC(2026, 10, 24), toFake: ['setTimeout', 'clearTimeout', 'Date'] }),
  );
  afterEach(() => void vi.useRealTimers());

  it('yields ids with tags, and a reset, in whatever pieces they come', async () => {
    const text = `${began(7)}${change(8, 'gateway:uri:über')}: nothing new\nid: 9\n\nid: 10\nevent: reset\ndata: {"tags":[]}\n\n`;
    const bytes = [...new TextEncoder().encode(text)];
    for (const size of [1, 5, 1000]) {
      const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
        Uint8Array.from(bytes.slice(at * size, (at + 1) * size)),
      );
      const body = new ReadableStream({
        start(controller) {
          for (const piece of pieces) controller.enqueue(piece);
          controller.close();
        },
      });
      const { client } = following([() => new Response(body)]);
      expect(await take(client.changes(), 2)).toEqual([
        { id: '8', tags: ['gateway:uri:über'] },
        { id: '10', reset: true },
      ]);
    }
  });

  it.each([
    ['ends', 'ends'],
    ['breaks', 'breaks'],
  ] as const)('connects again after the last id when the stream %s', async (_name, end) => {
    const { client, asked } = following([
      () => stream([began(7), change(8, 'a'), ': nothing new\nid: 9\n\n'], end),
      () => stream([change(10, 'b')]),
    ]);
    expect(await take(client.changes({ site: 'x' }, { after: '5' }), 2)).toEqual([
      { id: '8', tags: ['a'] },
      { id: '10', tags: ['b'] },
    ]);
    expect(asked.map(({ url, seconds }) => [url, seconds])).toEqual([
      ['https://site.example/api/v1/changes?site=x&after=5', 0],
      ['https://site.example/api/v1/changes?site=x&after=9', 1],
    ]);
  });

  it('waits longer after each failure, at most 30 seconds, and briefly again after an event', async () => {
    const lost = () => new TypeError('fetch failed');
    const { client, asked } = following([
      ...Array(7).fill(lost),
      () => stream([change(1, 'a')]),
      () => stream([change(2, 'b')]),
    ]);
    await take(client.changes(), 2);
    const waits = asked.slice(1).map(({ seconds }, index) => seconds - (asked[index]?.seconds ?? 0));
    expect(waits).toEqual([1, 2, 4, 8, 16, 30, 30, 1]);
  });

  it('waits as long as Retry-After says when it is refused for a time', async () => {
    const busy = () => Response.json({ code: 'unavailable' }, { status: 503, headers: { 'retry-after': '90' } });
    const { client, asked } = following([busy, () => stream([change(1, 'a')])]);
    await take(client.changes(), 1);
    expect(asked.map(({ seconds }) => seconds)).toEqual([0, 90]);
  });

  it.each([401, 403, 404, 422])('throws the problem of a refusal with status %i', async (status) => {
    const { client } = following([() => Response.json({ code: 'refused' }, { status })]);
    await expect(client.changes().next()).rejects.toMatchObject({ status, code: 'refused' });
  });

  it('connects again when nothing has come for a minute', async () => {
    const { client, asked } = following([() => stream([began(3)], 'stays'), () => stream([change(4, 'a')])]);
    expect(await take(client.changes(), 1)).toEqual([{ id: '4', tags: ['a'] }]);
    expect(asked.map(({ url, seconds }) => [new URL(url).search, seconds])).toEqual([
      ['', 0],
      ['?after=3', 61],
    ]);
  });

  it('ends the connection when the loop is left', async () => {
    const { client, asked } = following([() => stream([change(4, 'a')], 'stays')]);
    await take(client.changes(), 1);
    expect(asked.map(({ signal }) => signal.aborted)).toEqual([true]);
  });

  it.each([
    ['while it listens', [() => stream([change(4, 'a')], 'stays')]],
    ['while it waits', [() => stream([change(4, 'a')]), () => new TypeError('fetch failed')]],
  ])('ends the loop when its signal is aborted %s', async (_name, replies) => {
    const stop = new AbortController();
    const changes = following(replies).client.changes({}, { signal: stop.signal });
    expect(await changes.next()).toEqual({ done: false, value: { id: '4', tags: ['a'] } });
    const next = changes.next();
    stop.abort();
    expect(await next).toEqual({ done: true, value: undefined });
    expect(vi.getTimerCount()).toBe(0);
  });

  it('asks for nothing when its signal is aborted before', async () => {
    const { client, asked } = following([]);
    expect((await client.changes({}, { signal: AbortSignal.abort() }).next()).done).toBe(true);
    expect(asked).toEqual([]);
  });
});
