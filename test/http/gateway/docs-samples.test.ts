/** The code that the API reference shows for each route: it runs, and the server takes what it sends. */
import { beforeAll, describe, expect, test } from 'vitest';
import { createClient } from '../../../client/src/client.js';
import { issueToken } from '../../../src/identity/page-tokens/manage-tokens.js';
import { startSampleSite } from '../../support/sample-site.js';
import type { TestSite } from '../../support/site.js';

interface Shown {
  readonly id: string;
  readonly method: string;
  readonly samples: Readonly<Record<string, string>>;
}

let site: TestSite;
let text: string;
let shown: readonly Shown[];

beforeAll(async () => {
  site = await startSampleSite({ key: { kind: 'api_key', id: 'key', scopes: new Set(['*']), userId: null } });
  text = (await site.get('/docs', { headers: { accept: 'text/html' } })).text;
  shown = [...text.matchAll(/<article class="op" id="op-([^"]+)" data-method="(\w+)".*?<\/article>/gs)].map(
    ([article, id = '', method = '']) => ({ id, method, samples: samplesOf(article) }),
  );
});

function samplesOf(article: string): Shown['samples'] {
  const blocks = article.matchAll(/<p class="media">(\w+)<\/p>\n<pre tabindex="0"><code>(.*?)<\/code>/gs);
  return Object.fromEntries([...blocks].map(([, label = '', code = '']) => [label, plain(code)]));
}

function plain(html: string): string {
  const characters: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
  return html.replace(/&([a-z]+|#39);/g, (whole, name: string) => characters[name] ?? whole);
}

const sampleOf = (id: string) => shown.find((one) => one.id === id)?.samples;

describe('the reference', () => {
  test('has the routes of all three interfaces, each as a command and with fetch', () => {
    expect(shown.filter(({ id }) => id.startsWith('pages.')).length).toBe(6);
    expect(shown.filter(({ id }) => id.startsWith('banners.')).length).toBeGreaterThan(20);
    expect(shown.filter(({ samples }) => !samples['curl'] || !samples['fetch']).map(({ id }) => id)).toEqual([]);
    expect(text).toContain('<a href="#api-banners">Banner API</a>');
  });

  test('shows what a person would write', () => {
    expect(sampleOf('listChunks')).toEqual({
      curl: [
        'curl \\',
        '  -H "Authorization: Bearer $KEY" \\',
        '  "$SITE/api/v1/chunks?fields=id,name,description&include=category&sort=-id"',
      ].join('\n'),
      fetch: [
        'const response = await fetch(`$' +
          '{site}/api/v1/chunks?fields=id,name,description&include=category&sort=-id`, {',
        '  headers: { Authorization: `Bearer $' + '{key}` },',
        '});',
        'const { data } = await response.json();',
      ].join('\n'),
      client:
        "const { data, meta } = await hcd.list('chunks', { fields: ['id', 'name', 'description'], include: ['category'], sort: ['-id'] });",
    });
    expect(sampleOf('updateResource')?.['client']).toBe(
      "const record = await hcd.update('resources', 42, { pagetitle: 'About us' });",
    );
    expect(sampleOf('pages.getPage')?.['client']).toBe("const page = await hcd.document('42');");
    expect(sampleOf('banners.getAd')).not.toHaveProperty('client');
    expect(sampleOf('getSession')).not.toHaveProperty('client');
  });

  test('shows requests that the server takes', async () => {
    const asked: string[] = [];
    const looking: typeof fetch = async (address, init) => {
      const response = await fetch(address, init);
      asked.push(`${response.status} ${String(address)}`);
      return response;
    };
    const { token: pageToken } = await issueToken(site.store, {
      ...{ env: {}, name: null, expiresOn: null, now: Date.now() },
      scopes: ['catalog.read', 'pages.read'],
    });
    await site.live.refresh();
    const hcd = createClient({ url: site.url, key: 'key', fetch: looking, retries: 0, pages: { token: pageToken } });
    const bannerKey = site.live.current().settings.values.banners_api_key;
    for (const { id, method, samples } of shown) {
      // A stream of changes does not end; the others are of records that the sample site need not have.
      if (method !== 'get' || id === 'listChanges') continue;
      for (const code of [samples['fetch'], samples['client']]) {
        if (code !== undefined)
          await run(code, { fetch: looking, hcd, site: site.url, key: 'key', bannerKey, pageToken });
      }
    }
    expect(asked.length).toBeGreaterThan(80);
    const accepted = /^(200|404) |^401 \S*\/auth\/session$/;
    expect(asked.filter((line) => !accepted.test(line))).toEqual([]);
    expect(asked.filter((line) => line.startsWith('200 ')).length).toBeGreaterThan(50);
  });
});

/** Runs a sample with these names; refusals are looked at elsewhere, everything else is an error of the sample. */
async function run(code: string, names: Readonly<Record<string, unknown>>): Promise<void> {
  const async = Object.getPrototypeOf(async () => undefined).constructor;
  try {
    await new async(...Object.keys(names), code)(...Object.values(names));
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'ProblemError') throw error;
  }
}
