/** Answers of the banner API: one value, a list, and a page of a list with its neighbours (docs/banners.md#answers). */
import type { Call, Reply } from '../../http/interface/endpoint.js';

/** `{success, data}`. */
export function dataReply(data: unknown): Reply {
  return { status: 200, body: { kind: 'json', value: { success: true, data } }, caching: { kind: 'never' } };
}

/** `{success, data, total}` with X-Total-Count, which holds the same number. */
export function listReply(data: readonly unknown[], total: number): Reply {
  return {
    status: 200,
    headers: { 'X-Total-Count': String(total) },
    body: { kind: 'json', value: { success: true, data, total } },
    caching: { kind: 'never' },
  };
}

export interface PageFacts {
  readonly route: string;
  readonly rows: readonly unknown[];
  readonly total: number;
  readonly limit: number;
  readonly offset: number;
}

/** A list that goes on: with Link where there are neighbours. */
export function pageReply(call: Call, { route, rows, total, limit, offset }: PageFacts): Reply {
  const reply = listReply(rows, total);
  const kept = call.query.filter(([name]) => !['offset', 'start', 'limit'].includes(name));
  const link = (rel: string, first: number): string => {
    const query = new URLSearchParams([
      ['route', route],
      ...kept.map(([name, value]): [string, string] => [name, value]),
      ['offset', String(first)],
      ['limit', String(limit)],
    ]);
    return `<${call.base}?${query}>; rel="${rel}"`;
  };
  const links = [
    // Behind the end the last page comes before.
    ...(offset > 0 && total > 0 ? [link('prev', Math.max(0, Math.min(offset, total) - limit))] : []),
    ...(offset + limit < total ? [link('next', offset + limit)] : []),
  ];
  return links.length === 0 ? reply : { ...reply, headers: { ...reply.headers, Link: links.join(', ') } };
}
