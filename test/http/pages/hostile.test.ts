/** Documents made to do harm: too many sections, too deep, and script in every text that an editor can fill in. */
import { beforeAll, describe, expect, it, test } from 'vitest';
import type { AppError } from '../../../src/errors/app-error.js';
import { basicSections } from '../../pages/rules/section-types.js';
import { readStrictHtml } from '../../pages/rules/strict-html.js';
import { freshSqliteUrl } from '../../support/databases.js';
import { hero, type PublishedSite, publish, richtext, startPublishedSite } from './published-site.js';

const all = '/pages/1&include=document,values,html,sections';

describe('a document is refused when it is written, and nothing of it is delivered', () => {
  let deep: unknown = 'bottom';
  for (let level = 0; level < 5000; level += 1) deep = [deep];

  let site: PublishedSite;

  beforeAll(async () => {
    site = await startPublishedSite({ databaseUrl: await freshSqliteUrl() });
    await site.resources({ id: 1 });
  });

  test.each<[name: string, sections: readonly unknown[], message: RegExp]>([
    ['of 10,000 sections', Array.from({ length: 10_000 }, () => hero()), /sections/],
    ['of 5,000 lists in one another', [{ type: 'hero', data: { title: 'T', extra: deep } }], /in one another/],
    ['of more characters than a page has', [richtext(`<p>${'x'.repeat(2_100_000)}</p>`)], /characters/],
    ['of an unknown type', [{ type: 'nothing_here', data: {} }], /nothing_here/],
  ])('%s', async (_name, sections, message) => {
    const refused: unknown = await publish(site.site.store, 1, sections).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: 'validation_failed' });
    expect(JSON.stringify((refused as AppError).details.fields)).toMatch(message);
    const answer = await site.ask(all);
    const missing = { success: false, message: 'Page has no published content.', object: {} };
    expect([answer.status, answer.json()]).toEqual([404, missing]);
  });
});

const attacks = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onmouseover='alert(1)",
  '</script><svg onload=alert(1)>',
  '{{ "now" | date }}{% raw %}',
  '<!--<img title="--><iframe src=javascript:alert(1)>">',
  '&lt;script&gt;alert(1)&lt;/script&gt;',
];

describe('script in every text field of every shipped section type', () => {
  let site: PublishedSite;

  beforeAll(async () => {
    site = await startPublishedSite({ databaseUrl: await freshSqliteUrl() });
    await site.resources({ id: 1, alias: 'x' });
  });

  test.each(attacks)('%s', async (attack) => {
    const title = { sql: 'UPDATE modx_site_content SET pagetitle = ? WHERE id = 1', params: [attack] };
    await site.site.store.content.write((tx) => tx.run(title));
    await site.clock.advance(1000);
    const sections = basicSections.map(({ definition: { key: type }, sample }) => ({
      ...{ type, data: attacked(sample, attack) },
    }));
    // Addresses of another form are refused; every other text is taken as it is.
    await site.publish(1, sections);
    const answer = await site.ask(all);
    expect(answer.status).toBe(200);
    const page = (answer.json() as { object: Record<string, unknown> }).object;
    const rendered = page.sections as readonly { html: string; renderFailed: boolean; type: string }[];
    expect(rendered.map(({ type, renderFailed }) => [type, renderFailed])).toEqual(
      basicSections.map(({ definition }) => [definition.key, false]),
    );
    for (const html of [page.html as string, ...rendered.map((section) => section.html)]) {
      for (const { name, attributes } of readStrictHtml(html)) {
        expect(['script', 'svg', 'object', 'embed', 'form', 'base', 'style', 'link', 'meta']).not.toContain(name);
        for (const [attribute, value] of attributes) {
          expect(attribute).not.toMatch(/^on/);
          if (['href', 'src', 'poster'].includes(attribute))
            expect(value).not.toMatch(/^\s*(javascript|data|vbscript):/i);
          if (name === 'iframe' && attribute === 'src')
            expect(value).toMatch(/^https:\/\/(www\.youtube-nocookie|player\.vimeo|rutube)\./);
        }
      }
    }
    // Nothing that a browser would take for a page of its own.
    const types = ['content-type', 'x-content-type-options'].map((name) => answer.headers.get(name));
    expect(types).toEqual(['application/json; charset=utf-8', 'nosniff']);
  });
});

/** The sample with the attack in every text that is neither an address nor one of the accepted words. */
function attacked(value: unknown, attack: string): unknown {
  if (Array.isArray(value)) return value.map((one) => attacked(one, attack));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [
      name,
      typeof one === 'string' && !isFixed(name) ? `${one} ${attack}` : attacked(one, attack),
    ]),
  );
}

/** Fields whose form is checked when they are written: addresses, choices, e-mail. */
function isFixed(name: string): boolean {
  return /url|alignment|size|poster|provider|email|side|path|type|extension|filename/i.test(name);
}

it('names and values that are members of every object are nothing special', async () => {
  const site = await startPublishedSite({ databaseUrl: await freshSqliteUrl() });
  await site.resources({ id: 1, alias: '__proto__' }, { id: 2, alias: 'constructor' });
  await site.publish(1, [hero('A', { settings: { conditions: [{ type: 'query', name: '__proto__' }] } }), hero('B')]);
  await site.publish(2);
  expect([(await site.get('/pages/__proto__')).resourceId, (await site.get('/pages/constructor')).resourceId]).toEqual([
    1, 2,
  ]);
  const text = async (query: string) =>
    ((await site.get(`/pages/1&include=values${query}`)).values as { plainText: string }).plainText;
  expect([await text(''), await text('&__proto__=1'), await text('&constructor=1')]).toEqual(['B', 'A\nB', 'B']);
});

it('a page that is asked for in any number of ways at once is right for each', async () => {
  const site = await startPublishedSite({ databaseUrl: await freshSqliteUrl() });
  const ids = Array.from({ length: 130 }, (_none, at) => at + 1);
  await site.resources(
    ...ids.map((id) => ({ id, pagetitle: `Page ${id}`, alias: `page-${id}`, published: id % 5 === 0 ? 0 : 1 })),
  );
  for (const id of ids) await site.publish(id, [hero(`Title ${id}`)]);
  const answers = await Promise.all(
    ids.map(async (id) => {
      const answer = await site.ask(`/pages/${id % 2 === 0 ? id : `page-${id}`}&include=values`);
      const { object } = answer.json() as { object: { resourceId?: number; values?: { plainText: string } } };
      return [answer.status, object.resourceId, object.values?.plainText];
    }),
  );
  expect(answers).toEqual(ids.map((id) => (id % 5 === 0 ? [404, undefined, undefined] : [200, id, `Title ${id}`])));
});
