/** Answers at their largest: related rows of every level are bounded, and what is missing is announced. */
import { beforeAll, expect, it } from 'vitest';
import { describeEachDatabase } from '../../support/databases.js';
import type { Row } from '../../support/seed.js';
import { startTestSite, type TestSite } from '../../support/site.js';

/** Two sections with many pages each; each page of the first has as many below it. */
const sections = 2;
const pages = 120;
const below = 95;

const rows: Row[] = [];
const add = (parent: number, count: number): number[] =>
  Array.from({ length: count }, (_unused, index) => {
    const id = rows.length + 1;
    rows.push({ id, parent, pagetitle: `Page ${id}`, uri: `page-${id}`, menuindex: index });
    return id;
  });
const tops = add(0, sections);
const middle = tops.flatMap((top) => add(top, pages));
for (const page of middle.slice(0, pages)) add(page, below);

interface Shown {
  readonly id: number;
  readonly children: readonly Shown[];
}

describeEachDatabase('large answers', (database) => {
  let site: TestSite;

  beforeAll(async () => {
    site = await startTestSite({ databaseUrl: await database.url(), env: { HCD_GATEWAY_MAX_OFFSET: '30' } });
    await site.fill({ site_content: rows });
  });

  it('children of children: 100 per parent, so many in all, the rest announced', async () => {
    const { body } = await site.get(`/resources?filter[parent]=0&fields=id&include=children.children`);
    const data = body['data'] as Shown[];
    expect(data.map(({ id, children }) => [id, children.length])).toEqual(tops.map((top) => [top, 100]));
    const shownMiddle = data.flatMap(({ children }) => children);
    // The pages shown have 100 × 95 rows below them, fewer than the 10,100 that one level may read.
    expect(shownMiddle.map(({ children }) => children.length)).toEqual([
      ...Array(100).fill(below),
      ...Array(100).fill(0),
    ]);
    expect((body['meta'] as { truncated: unknown }).truncated).toEqual({ children: tops });
  });

  it('a level with more rows than one answer takes names every parent that may lack some', async () => {
    // 120 parents with 95 rows each: more than 10,100 in all.
    const wide = await startTestSite({ databaseUrl: await database.url(), env: { HCD_GATEWAY_MAX_LIMIT: '1000' } });
    await wide.fill({ site_content: rows });
    const { body } = await wide.get(`/resources?filter[parent]=${tops[0]}&limit=1000&fields=id&include=children`);
    const data = body['data'] as Shown[];
    const { truncated } = body['meta'] as { truncated: { children: number[] } };
    const whole = Math.floor(10_100 / below);
    expect(data.slice(0, whole).map(({ children }) => children.length)).toEqual(Array(whole).fill(below));
    expect(truncated.children).toEqual(middle.slice(whole, pages));
    expect(data.filter(({ children }) => children.length < below).map(({ id }) => id)).toEqual(truncated.children);
  });

  it('links lead through every row although the offset ends at its limit', async () => {
    const seen: number[] = [];
    let next: string | undefined = '/resources?fields=id&limit=20&filter[id][lte]=110';
    for (let turn = 0; next !== undefined && turn < 10; turn++) {
      const { body } = await site.get(next);
      seen.push(...(body['data'] as { id: number }[]).map(({ id }) => id));
      const link: string | undefined = (body['links'] as { next?: string }).next;
      next = link?.replace('/api/v1', '');
    }
    expect(seen).toEqual(Array.from({ length: 110 }, (_unused, index) => index + 1));
  });
});
