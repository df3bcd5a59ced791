/**
 * No header of a request gets into an answer that others are given from memory: for every header that a client may send,
 * the request with it comes first, and so makes the answer that is kept. A server that keeps nothing says what is right.
 */
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { beforeAll, expect, it } from 'vitest';
import { anonymousPrincipal } from '../../../src/access/acl.js';
import { describeEachDatabase } from '../../support/databases.js';
import { sendRaw } from '../../support/raw-socket.js';
import { headerLines, linesWithoutCaller } from '../../support/request-headers.js';
import { startTestSite, type TestSite } from '../../support/site.js';

describeEachDatabase('answers from memory and headers of others', (database) => {
  let site: TestSite;
  let uncached: TestSite;

  beforeAll(async () => {
    const identities = {
      reader: { kind: 'api_key', id: 'reader', scopes: new Set(['resources.read']), userId: null },
      all: { kind: 'api_key', id: 'all', scopes: new Set(['*']), userId: null },
      session: { kind: 'session', id: '1', userId: 1, principal: anonymousPrincipal, csrfToken: 'the secret' },
      preview: { kind: 'preview', id: '1', userId: null, context: 'web', resource: null, draftRevision: null },
    } as const;
    const env = {
      HCD_GATEWAY_ALLOWED_CONTEXTS: 'web,docs',
      HCD_GATEWAY_CORS_ENABLED: '1',
      HCD_GATEWAY_CORS_ALLOWED_ORIGINS: 'https://a.example',
      // What a trusted proxy says shapes more than the words of a client.
      HCD_GATEWAY_TRUSTED_PROXIES: '127.0.0.1',
    };
    const databaseUrl = await database.url();
    site = await startTestSite({ databaseUrl, identities, env: { ...env, HCD_GATEWAY_CACHE_ENABLED: '1' } });
    uncached = await startTestSite({ databaseUrl, identities, env });
    await site.fill({
      site_content: [
        { id: 1, pagetitle: 'Home', alias: 'index', uri: 'index.html', description: 'text '.repeat(1000) },
        { id: 2, pagetitle: 'Draft', alias: 'draft', uri: 'draft.html', published: 0 },
        { id: 3, pagetitle: 'Docs', alias: 'docs', uri: 'docs.html', context_key: 'docs' },
      ],
    });
    await uncached.live.refresh();
  });

  /** Head and body as text; without times, what a cache is told, and the length of what is compressed in two ways. */
  const ask = async (from: TestSite, path: string, ...lines: readonly string[]): Promise<string> => {
    const given = lines.filter((line) => line !== '');
    const usual = ['Host: localhost', 'X-Request-ID: request-0001'].filter((line) => {
      const [name = ''] = line.split(' ');
      return !given.some((own) => own.startsWith(name));
    });
    const bytes = `${[`GET ${path} HTTP/1.1`, ...given, ...usual].join('\r\n')}\r\n\r\n`;
    const { text, body, headers: sent } = await sendRaw({ port: Number(new URL(from.url).port), bytes });
    const coding = sent.get('content-encoding');
    const whole =
      coding === undefined
        ? text
        : text.slice(0, text.length - body.length).replace(/\r\nContent-Length: \d+/, '') + decoded(body, coding);
    return whole
      .replace(/\r\nDate: [^\r]*/, '')
      .replace(/\r\n(?:Cache-Control: (?:public|private)|Age|Cache-Tag)[^\r]*/g, '')
      .replace(/[0-9a-f]{32}/g, 'an id');
  };

  it('gives what a server without a memory gives, to the sender and to those after it', async () => {
    const wrong: string[] = [];
    for (const [at, line] of headerLines.entries()) {
      // Another question each time, so that the request with the header is the one that makes the answer.
      const path = `/api/v1/resources?fields=id,pagetitle,description&filter[menuindex][lt]=${1000 + at}`;
      const right = [await ask(uncached, path, line), await ask(uncached, path, '')];
      expect(right[1]).toMatch(/^HTTP\/1.1 200 /);
      const found = [
        await ask(site, path, line),
        await ask(site, path, ''),
        await ask(site, path, line),
        await ask(site, path, ''),
      ];
      if (found.some((answer, turn) => answer !== right[turn % 2])) wrong.push(line);
    }
    expect(wrong).toEqual([]);
  });

  it('gives each caller its own answer, also those that are kept for keys, whatever else a request holds', async () => {
    const callers = ['all', 'reader', 'session', 'preview'].map((name) => `Authorization: Bearer ${name}`);
    const wrong: string[] = [];
    for (const [at, line] of linesWithoutCaller.entries()) {
      const path = `/api/v1/resources?filter[menuindex][lt]=${5000 + at}`;
      const rightOf = new Map<string, string>();
      for (const caller of [...callers, '']) {
        for (const more of [line, '']) rightOf.set(caller + more, await ask(uncached, path, caller, more));
      }
      // One sees drafts, one contents; what is kept for one would show in the answer to another.
      expect(new Set(['', ...callers].map((caller) => rightOf.get(caller))).size).toBeGreaterThan(2);
      // What keys ask for again is kept: they ask four times, then come out of memory.
      const asked = [...callers, ...callers, '', ...callers.toReversed(), ''].flatMap((caller) => [
        [caller, line] as const,
        [caller, ''] as const,
      ]);
      for (const [caller, more] of asked) {
        if ((await ask(site, path, caller, more)) !== rightOf.get(caller + more)) wrong.push(`${caller} ${more}`);
      }
    }
    expect(wrong).toEqual([]);
  });
});

function decoded(body: string, coding: string): string {
  const bytes = Buffer.from(body, 'latin1');
  if (coding === 'gzip') return gunzipSync(bytes).toString('latin1');
  if (coding === 'br') return brotliDecompressSync(bytes).toString('latin1');
  return coding;
}
