/** Searches of a test site. */
import { expect } from 'vitest';
import { sweepNext } from '../../../src/content/indexing/notice.js';
import type { TestSite } from '../../support/site.js';

/** A resource whose address is its id. */
export const page = (id: number, pagetitle: string, rest: Readonly<Record<string, string | number>> = {}) => ({
  ...{ id, pagetitle, alias: `page-${id}`, uri: `page-${id}` },
  ...rest,
});

/** Looks through every resource for changes that nothing announced. */
export async function sweep({ store }: TestSite): Promise<void> {
  for (let place: number | null = 0; place !== null; ) place = await sweepNext(store, place);
}

interface Asked {
  /** The end of the query. */
  readonly more?: string | undefined;
  readonly as?: string | undefined;
}

/** Ids of the records that are found, with what the answer says of them. */
export async function searchSite(site: TestSite, text: string, { more = '', as }: Asked) {
  const path = `/resources?fields=id&search=${encodeURIComponent(text)}${more}`;
  const got = await site.get(path, as === undefined ? {} : { as });
  expect(got.status, got.text).toBe(200);
  const ids = (got.body['data'] as { id: number }[]).map(({ id }) => id);
  return { ids, meta: got.body['meta'] as Record<string, unknown>, links: got.body['links'] };
}
