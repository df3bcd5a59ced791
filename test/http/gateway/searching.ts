/** Searches of a test site. */
import { expect } from 'vitest';
import type { TestSite } from '../../support/site.js';

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
