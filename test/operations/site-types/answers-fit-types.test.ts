/**
 * What the gateway and the pages answer fits the types that `hcd types` gives for the same site: on the sample site and on
 * a real one, with everything that a caller can get and with what anybody gets.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Identity } from '../../../src/access/identity.js';
import { systemClock } from '../../../src/clock/clock.js';
import { openSite } from '../../../src/content/live/site.js';
import { buildRegistry } from '../../../src/content/objects/core-objects.js';
import { issueToken } from '../../../src/identity/page-tokens/manage-tokens.js';
import { loadSample } from '../../../src/operations/sample/load-sample.js';
import { type SiteTypes, siteTypes } from '../../../src/operations/site-types/site-types.js';
import { describeEachDatabase } from '../../support/databases.js';
import { describeWithFixture, loadFixture } from '../../support/fixture.js';
import { expectGolden } from '../../support/golden.js';
import { openMigrated } from '../../support/migrate.js';
import { patientLimits } from '../../support/patient-limits.js';
import { startTestSite, type TestSite } from '../../support/site.js';
import { problemsOf } from './compile-types.js';

const identities: Readonly<Record<string, Identity>> = {
  all: { kind: 'api_key', id: 'all', scopes: new Set(['*']), userId: null },
};

/** The types of a running site, with addresses. */
async function typesOf({ store }: TestSite): Promise<SiteTypes> {
  const site = await openSite({
    ...{ store, registry: buildRegistry([]), env: {}, clock: systemClock, log: () => undefined, secret: 'not shown' },
  });
  return siteTypes(site, store.own.primary, { withUris: true });
}

/** All records of a list, page by page. */
async function everyRecord(site: TestSite, path: string, as?: string): Promise<unknown[]> {
  const records: unknown[] = [];
  for (let offset = 0; ; offset += 100) {
    const { status, body } = await site.get(`${path}&limit=100&offset=${offset}`, as === undefined ? {} : { as });
    expect(status, JSON.stringify(body)).toBe(200);
    records.push(...(body['data'] as unknown[]));
    if ((body['meta'] as { has_more: boolean }).has_more !== true) return records;
  }
}

interface Check {
  readonly name: string;
  readonly type: string;
  readonly value: unknown;
}

/** A program that gives each value its type; the compiler refuses what does not fit, and members that are not named. */
function program(checks: readonly Check[]): string {
  const lines = checks.map(
    ({ name, type, value }) => `export const ${name}: ${type} = ${JSON.stringify(value, null, 1)};\n`,
  );
  return `import type { Contexts, Objects, Resource, Sections, Uri } from './site.ts';
export type Section = { [Type in keyof Sections]: { type: Type; data: Sections[Type] } }[keyof Sections];
export const unused: readonly (Contexts | Objects | Section | Resource | Uri)[] = [];
${lines.join('\n')}`;
}

async function gatewayChecks(site: TestSite): Promise<Check[]> {
  const asked = '/resources?include=tvs&tv_format=typed&sort=id';
  const everything = await everyRecord(site, asked, 'all');
  const shown = await everyRecord(site, asked);
  expect(shown.length).toBeGreaterThan(50);
  const uris = shown.map((row) => (row as { uri: string | null }).uri).filter((uri) => uri !== null && uri !== '');
  const elements = ['contexts', 'chunks', 'templates', 'snippets', 'tvs', 'categories', 'content_types'];
  return [
    { name: 'everything', type: 'readonly Resource[]', value: everything },
    { name: 'shown', type: 'readonly Resource[]', value: shown },
    { name: 'uris', type: 'readonly Uri[]', value: uris },
    ...(await Promise.all(
      elements.map(async (name) => ({
        ...{ name, type: `readonly Objects[${JSON.stringify(name)}][]` },
        value: await everyRecord(site, `/${name}?`, 'all'),
      })),
    )),
  ];
}

const wrong = `import type { ArticleResource, Contexts, Resource, Sections } from './site.ts';
declare const resource: Resource;
declare const hero: Sections['hero'];
export const title: string = resource.pagetitle;
// @ts-expect-error
export const author = resource.tvs.author;
if (resource.template === 9) {
  const minutes: number | null = resource.tvs.readingTime;
  const tags: readonly string[] | null = resource.tvs.tags;
  // @ts-expect-error
  const price = resource.tvs.price;
  // @ts-expect-error
  const text: string = resource.tvs.readingTime;
  console.log(minutes, tags, price, text);
}
// @ts-expect-error
export const template: ArticleResource['template'] = 8;
// @ts-expect-error
export const context: Contexts = 'shop';
// @ts-expect-error
export const alignment: Sections['hero']['alignment'] = 'right';
// @ts-expect-error
export const background: string = hero.background.url;
export const picture: string | undefined = hero.background?.url;
// @ts-expect-error
export type Missing = Sections['carousel'];
declare const console: { log(...values: unknown[]): void };
`;

describeEachDatabase('types of the sample site', (database) => {
  let site: TestSite;
  let types: SiteTypes;

  beforeAll(async () => {
    const databaseUrl = await database.url();
    const store = await openMigrated({ databaseUrl, prefix: 'modx_', limits: patientLimits });
    await loadSample(store, { env: {}, apis: ['gateway', 'pages'], onProgress: () => undefined });
    await store.close();
    site = await startTestSite({
      databaseUrl,
      identities,
      env: { HCD_PAGES_REST_API_ENABLED: '1', HCD_PAGES_REST_THROTTLE_PER_MINUTE: '0' },
    });
    types = await typesOf(site);
  });

  it('are the same on every database', () => {
    expectGolden('client/golden/site.ts', types.text);
  });

  // The types and the answers are the same on both databases.
  if (database.name === 'mariadb') return;

  it('fit what the gateway answers', async () => {
    const files = { 'site.ts': types.text, 'answers.ts': program(await gatewayChecks(site)) };
    expect(await problemsOf(files)).toBe('');
  });

  it('fit the sections of published pages', async () => {
    const sections = await publishedSections(site);
    expect(sections.length).toBeGreaterThan(20);
    const checks = [{ name: 'sections', type: 'readonly Section[]', value: sections }];
    expect(await problemsOf({ 'site.ts': types.text, 'answers.ts': program(checks) })).toBe('');
  });

  it('refuse what the site does not have', async () => {
    expect(await problemsOf({ 'site.ts': types.text, 'wrong.ts': wrong })).toBe('');
  });
});

/** Type and data of every section that the pages API gives. */
async function publishedSections({ url, store }: TestSite): Promise<unknown[]> {
  const { token } = await issueToken(store, {
    ...{ env: {}, scopes: ['pages.read'], name: null, expiresOn: null, now: Date.now() },
  });
  const ask = async (path: string): Promise<Record<string, unknown>> => {
    const answer = await fetch(`${url}/pages/api/v1.php?path=${path}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const body = (await answer.json()) as { message: string; object: Record<string, unknown> };
    expect(answer.status, body.message).toBe(200);
    return body.object;
  };
  const { items } = await ask('/pages&limit=100');
  const pages = await Promise.all(
    (items as { resourceId: number }[]).map(({ resourceId }) => ask(`/pages/${resourceId}&include=document`)),
  );
  return pages.flatMap((page) =>
    (page['document'] as { sections: { type: string; data: unknown }[] }).sections.map(({ type, data }) => ({
      type,
      data,
    })),
  );
}

describeWithFixture('types of a real site', () => {
  it('compile and fit what the gateway answers', async () => {
    const site = await startTestSite({ databaseUrl: await loadFixture(), identities });
    expect(site.store.kind).toBe('attached');
    const types = await typesOf(site);
    expect(types.counts.templates).toBeGreaterThan(3);
    const files = { 'site.ts': types.text, 'answers.ts': program(await gatewayChecks(site)) };
    expect(await problemsOf(files)).toBe('');
  });
});

describe('the compiler of these tests', () => {
  it('sees what does not fit', async () => {
    const files = {
      'site.ts': 'export type Contexts = "web";\n',
      'wrong.ts': 'import type { Contexts } from "./site.ts";\nexport const one: Contexts = "shop";\n',
    };
    expect(await problemsOf(files)).toContain('wrong.ts(2,14)');
  });
});
