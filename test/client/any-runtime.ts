/**
 * A program for any runtime: it uses the client as a page or a worker does, and tells what it saw. Sent as text to where
 * it runs, so it uses nothing but its arguments and what the web has everywhere.
 */
import type * as client from '../../client/src/client.js';
import type * as webhooks from '../../client/src/webhooks.js';

export interface Given {
  readonly url: string;
  /** A resource that is not published, and the token of its preview. */
  readonly draftId: number;
  readonly draftToken: string;
  readonly delivery: {
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
    readonly secret: string;
    readonly now: number;
  };
}

export async function useClient(hcd: typeof client & typeof webhooks, given: Given) {
  const { url, draftId, draftToken, delivery } = given;
  const statuses: number[] = [];
  const noting: typeof fetch = async (...asked) => {
    const response = await fetch(...asked);
    statuses.push(response.status);
    return response;
  };
  let refusals = 0;
  const busyFirst: typeof fetch = (...asked) => {
    refusals += 1;
    return refusals > 1 ? fetch(...asked) : Promise.resolve(new Response('{}', { status: 429, headers: busy }));
  };
  const busy = { 'retry-after': '0' };
  const site = hcd.createClient({ url, fetch: noting });
  const list = await site.list('resources', { filter: { id: { in: [5, 28] } }, fields: ['id'], sort: 'id' });
  const tents: unknown[] = [];
  for await (const { id } of site.all('resources', { filter: { template: 7 }, fields: ['id'], limit: 5 }))
    tents.push(id);
  statuses.length = 0;
  for (const _ of [1, 2]) await site.page('about/', { fields: ['id', 'uri'] });
  const kept = [...statuses];
  const missing = await site.page('nowhere').catch(hcd.nullIfMissing);
  const refused = await site.list('resources', { filter: { colour: 'red' } }).catch((error: unknown) => {
    if (!(error instanceof hcd.ProblemError)) throw error;
    return [error.status, error.code, Object.keys(error.errors)];
  });
  const stop = new AbortController();
  stop.abort();
  const aborted = await site
    .get('resources', 5, {}, { signal: stop.signal })
    .catch((error: unknown) => Object(error).name);
  const hidden = await site.get('resources', draftId).catch(hcd.nullIfMissing);
  const { data: draft } = await site.draft(draftToken).get('resources', draftId, { fields: ['pagetitle'] });
  const { data: again } = await hcd.createClient({ url, fetch: busyFirst }).get('resources', 5, { fields: ['id'] });
  const { headers, body, secret, now } = delivery;
  const event = await hcd.verifyWebhook({ headers, body }, secret, { now });
  const forged = await hcd.verifyWebhook({ headers, body: `${body} ` }, secret, { now }).catch((error) => error.name);
  return {
    list: [list.meta.total, list.data],
    all: [tents.length, new Set(tents).size],
    kept,
    errors: [missing, refused, aborted],
    draft: [hidden, draft],
    again: [refusals, again],
    webhook: [event.type, forged],
  };
}

/** What it sees on the sample site; a browser does by itself what the client does elsewhere with answers that it has. */
export function expectedOf({ keeps }: { readonly keeps: boolean }) {
  return {
    list: [2, [{ id: 5 }, { id: 28 }]],
    all: [12, 12],
    kept: keeps ? [200, 304] : [200, 200],
    errors: [null, [422, 'validation_failed', ['colour']], 'AbortError'],
    draft: [null, { pagetitle: 'Not yet' }],
    again: [2, { id: 5 }],
    webhook: ['resources.updated', 'WebhookError'],
  };
}
