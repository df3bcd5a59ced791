/**
 * The example consumer against the compiled server: a refresh leads to the same folder as a fresh build, with no more
 * requests than there are changes, and failures of the network or the server leave the site as it was.
 */

import { readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeTempDir } from '../support/temp-dir.js';
import {
  type ExampleFolders,
  type ExampleSite,
  exampleFolders,
  readFolder,
  runExample,
  startExampleSite,
} from './example-site.js';

interface Sum {
  readonly pages: number;
  readonly requests: number;
  readonly written: number;
  readonly removed: number;
}

/** What the example says that it did. */
function sumOf(stdout: string): Sum {
  const [pages, , requests, written, removed] = [...stdout.matchAll(/\d+/g)].map(Number);
  return { pages: pages ?? -1, requests: requests ?? -1, written: written ?? -1, removed: removed ?? -1 };
}

describe('on the sample site', () => {
  let site: ExampleSite;
  /** Refreshed from change to change. */
  let folders: ExampleFolders;
  let atFirst: Sum;

  beforeAll(async () => {
    site = await startExampleSite();
    folders = await exampleFolders();
    atFirst = sumOf((await runExample('build', { site, folders })).stdout);
  });

  afterAll(() => site.close());

  async function refresh(): Promise<Sum> {
    const { code, stdout, stderr } = await runExample('refresh', { site, folders });
    expect([code, stderr]).toEqual([0, '']);
    return sumOf(stdout);
  }

  /** The folder is what a build from nothing makes. */
  async function expectFresh(): Promise<Readonly<Record<string, string>>> {
    const other = await exampleFolders();
    expect((await runExample('build', { site, folders: other })).code).toBe(0);
    const [refreshed, fresh] = await Promise.all([readFolder(folders.out), readFolder(other.out)]);
    expect(refreshed).toEqual(fresh);
    return fresh;
  }

  /** Runs a command that touches no page and waits until the server shows what follows of it: at most a second later. */
  async function changeOutside(line: string): Promise<void> {
    const revision = async (): Promise<unknown> => {
      const headers = { Authorization: `Bearer ${site.token}` };
      const answer = await fetch(`${site.api}?path=/pages&limit=1`, { headers });
      const { object } = (await answer.json()) as { object: { revision: number } };
      return object.revision;
    };
    const before = await revision();
    await site.command(line);
    await expect.poll(revision).not.toBe(before);
  }

  const idOf = async (uri: string): Promise<number> => {
    const state = JSON.parse(await readFile(join(folders.state, 'state.json'), 'utf8'));
    const found = state.pages.find(
      ([, { page }]: [number, { page: { resource: { uri: string } } }]) => page.resource.uri === uri,
    );
    return found[0];
  };

  async function edit(
    id: number,
    change: (document: { sections: { data: Record<string, unknown> }[] }) => void,
  ): Promise<string> {
    const { data } = JSON.parse(await site.command(`page show ${id} --json`));
    const document = data.document ?? data.draft;
    change(document);
    const path = join(await makeTempDir('document'), 'document.json');
    await writeFile(path, JSON.stringify(document));
    return path;
  }

  test('a build asks for the list once and for each page once', async () => {
    expect(atFirst.pages).toBeGreaterThanOrEqual(12);
    expect(atFirst.requests).toBe(1 + atFirst.pages);
    const files = await expectFresh();
    expect(Object.keys(files).filter((name) => name.endsWith('.html'))).toHaveLength(atFirst.pages);
    expect(files['repairs/index.html']).toContain('<h1>Repairs</h1>');
    expect(files['campaign/winter-2026/index.html']).toContain('What there is to borrow');
    expect(files['campaign/winter-2026/index.html']).not.toContain('You have seen the poster');
  });

  test('a refresh asks once when nothing changed, and touches nothing', async () => {
    const { pages } = atFirst;
    expect(await refresh()).toEqual({ pages, requests: 1, written: 0, removed: 0 });
  });

  test('a second build writes nothing when no ETag has changed', async () => {
    const { pages } = atFirst;
    const { stdout } = await runExample('build', { site, folders });
    expect(sumOf(stdout)).toEqual({ pages, requests: 1 + pages, written: 0, removed: 0 });
  });

  test('an edited page is not there before it is published, and then by one request', async () => {
    const id = await idOf('repairs/warranty.html');
    const path = await edit(id, ({ sections }) => {
      for (const { data } of sections) data['content'] = '<p>Four years on everything.</p>';
    });
    await site.command(`page edit ${id} --file ${path}`);
    expect((await refresh()).requests).toBe(1);
    await site.command(`page publish ${id}`);
    expect(await refresh()).toEqual({ pages: atFirst.pages, requests: 2, written: 1, removed: 0 });
    expect((await expectFresh())['repairs/warranty.html']).toContain('Four years on everything.');
  });

  test('a withdrawn page loses its file and its place in the navigation, without a request for any other', async () => {
    const id = await idOf('guides/');
    await site.command(`page unpublish ${id} --yes`);
    const after = await refresh();
    // The navigation stands on every page.
    expect(after).toEqual({ pages: atFirst.pages - 1, requests: 1, written: atFirst.pages - 1, removed: 1 });
    const files = await expectFresh();
    expect(files['guides/index.html']).toBeUndefined();
    expect(Object.values(files).filter((text) => text.includes('<li><a href="/guides/"'))).toEqual([]);
    await site.command(`page publish ${id}`);
    expect((await refresh()).requests).toBe(2);
    expect((await expectFresh())['guides/index.html']).toContain('Five topics');
  });

  test('an unpublished resource takes its page with it, and brings it back', async () => {
    const id = await idOf('trips/');
    await changeOutside(`resource unpublish ${id}`);
    expect(await refresh()).toMatchObject({ pages: atFirst.pages - 1, requests: 1, removed: 3 });
    // The page and the two pictures that only it has.
    expect((await expectFresh())['trips/index.html']).toBeUndefined();
    await changeOutside(`resource publish ${id}`);
    expect(await refresh()).toMatchObject({ pages: atFirst.pages, requests: 2, removed: 0 });
    await expectFresh();
  });

  test('several changes between two refreshes are one feed', async () => {
    const [one, other, third] = [
      await idOf('stores/'),
      await idOf('about/history.html'),
      await idOf('about/contact.html'),
    ];
    await site.command(`page publish ${one}`);
    await site.command(`page publish ${one}`);
    await site.command(`page unpublish ${other} --yes`);
    await site.command(`page unpublish ${third} --yes`);
    await site.command(`page publish ${third}`);
    expect(await refresh()).toMatchObject({ pages: atFirst.pages - 1, requests: 3, removed: 4 });
    expect((await expectFresh())['stores/index.html']).toContain('Thirteen shops');
  });

  test('a build without a state, or with the state of another context, starts from the list', async () => {
    await rm(folders.state, { recursive: true });
    expect(await refresh()).toMatchObject({ requests: atFirst.pages, written: 0, removed: 0 });
    const before = Object.keys(await readFolder(folders.out));
    const journal = await runExample('refresh', { site, folders, env: { PAGES_CONTEXT: 'journal' } });
    expect(sumOf(journal.stdout)).toMatchObject({ pages: 1, requests: 2 });
    const after = Object.keys(await readFolder(folders.out));
    expect(sumOf(journal.stdout).removed).toBe(before.filter((name) => !after.includes(name)).length);
    expect(after.filter((name) => name.endsWith('.html'))).toHaveLength(1);
    await refresh();
    await expectFresh();
  });

  test('a run that broke off between its files and its state is made good by the next one', async () => {
    const id = await idOf('about/careers.html');
    await site.command(`page unpublish ${id} --yes`);
    const state = join(folders.state, 'state.json');
    const before = await readFile(state);
    await refresh();
    await writeFile(state, before);
    expect(await refresh()).toMatchObject({ requests: 1, written: 0 });
    await expectFresh();
  });

  test('a revoked token ends the run with a sentence, and the site stays', async () => {
    const before = await readFolder(folders.out);
    const { code, stderr } = await runExample('build', { site: { ...site, token: 'pt_00000000_x' }, folders });
    expect([code, stderr]).toEqual([1, expect.stringMatching(/ \/pages: 401 .+\n$/)]);
    expect(await readFolder(folders.out)).toEqual(before);
  });
});

/** One scripted answer; `drop` closes the connection. */
type Answer =
  | { readonly status: number; readonly headers?: Record<string, string>; readonly object?: unknown }
  | 'drop';

/** A server that gives the answers in order, and what it was asked. */
async function scripted(
  answers: readonly Answer[],
  work: (site: { api: string; token: string }) => Promise<void>,
): Promise<IncomingMessage[]> {
  const left = [...answers];
  const asked: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    asked.push(request);
    const answer = left.shift() ?? { status: 500 };
    if (answer === 'drop') {
      request.socket.destroy();
      return;
    }
    const { status, headers = {}, object = {} } = answer;
    response.writeHead(status, { 'Content-Type': 'application/json', Connection: 'close', ...headers });
    const message = status === 200 ? '' : 'Not now.';
    response.end(status === 304 ? '' : JSON.stringify({ success: status === 200, message, object }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  try {
    await work({ api: `http://127.0.0.1:${port}/pages/api/v1.php`, token: 'pt_0' });
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
  return asked;
}

const resource = { id: 1, pagetitle: 'Home & <b>', alias: 'index', uri: 'index.html', context: 'web', template: 1 };
const head = { resourceId: 1, publishedRevision: 1, resource };
const listed: Answer = { status: 200, object: { items: [head], total: 1, revision: 7 } };
const page: Answer = {
  status: 200,
  headers: { ETag: '"a"' },
  object: { ...head, html: '<p>Hello</p>', values: { plainText: 'Hello' } },
};
const quiet: Answer = { status: 200, object: { items: [], total: 0, revision: 7, more: false } };

describe('with a server that fails', () => {
  test('waits as long as Retry-After says, and goes on', async () => {
    const folders = await exampleFolders();
    const started = performance.now();
    const asked = await scripted(
      [
        { status: 429, headers: { 'Retry-After': '1' } },
        listed,
        { status: 503, headers: { 'Retry-After': '0' } },
        page,
      ],
      async (site) => {
        expect(sumOf((await runExample('build', { site, folders })).stdout)).toMatchObject({ pages: 1, requests: 4 });
      },
    );
    expect(performance.now() - started).toBeGreaterThan(1000);
    expect(asked.map(({ url }) => new URL(url ?? '', 'http://a').searchParams.get('path'))).toEqual([
      '/pages',
      '/pages',
      '/pages/1',
      '/pages/1',
    ]);
    expect((await readFolder(folders.out))['index.html']).toContain('<h1>Home &amp; &lt;b&gt;</h1>');
  });

  test('tries a broken connection again', async () => {
    const folders = await exampleFolders();
    await scripted(['drop', listed, 'drop', page], async (site) => {
      expect(sumOf((await runExample('build', { site, folders })).stdout)).toMatchObject({ pages: 1, requests: 4 });
    });
  });

  test('sends the ETag that it has, and keeps its page on 304', async () => {
    const folders = await exampleFolders();
    const asked = await scripted([listed, page, listed, { status: 304 }], async (site) => {
      await runExample('build', { site, folders });
      const before = await readFolder(folders.out);
      expect(sumOf((await runExample('build', { site, folders })).stdout)).toMatchObject({ written: 0, removed: 0 });
      expect(await readFolder(folders.out)).toEqual(before);
    });
    expect(asked.map(({ headers }) => headers['if-none-match'])).toEqual([undefined, undefined, undefined, '"a"']);
    expect(asked.every(({ headers }) => headers.authorization === 'Bearer pt_0')).toBe(true);
  });

  test('builds again where the feed refuses its revision, as after a backup was put back', async () => {
    const folders = await exampleFolders();
    const asked = await scripted([listed, page, { status: 400 }, listed, { status: 304 }], async (site) => {
      await runExample('build', { site, folders });
      const before = await readFolder(folders.out);
      const { code, stdout } = await runExample('refresh', { site, folders });
      expect([code, sumOf(stdout)]).toEqual([0, { pages: 1, requests: 3, written: 0, removed: 0 }]);
      expect(await readFolder(folders.out)).toEqual(before);
    });
    expect(asked).toHaveLength(5);
  });

  test('gives up after five attempts and leaves the site as it was', async () => {
    const folders = await exampleFolders();
    const down = { status: 503, headers: { 'Retry-After': '0' } };
    await scripted([listed, page, quiet, down, down, down, down, down], async (site) => {
      await runExample('build', { site, folders });
      const [site0, state0] = await Promise.all([readFolder(folders.out), readFolder(folders.state)]);
      expect((await runExample('refresh', { site, folders })).code).toBe(0);
      const { code, stderr } = await runExample('refresh', { site, folders });
      expect([code, stderr]).toEqual([1, expect.stringContaining('/pages: 503 Not now., 5 times\n')]);
      expect(await Promise.all([readFolder(folders.out), readFolder(folders.state)])).toEqual([site0, state0]);
    });
  });

  test('does not follow a redirect with its token', async () => {
    const folders = await exampleFolders();
    const elsewhere: Answer = { status: 302, headers: { Location: 'http://127.0.0.1:9/' } };
    const asked = await scripted(
      Array.from({ length: 5 }, () => elsewhere),
      async (site) => {
        expect((await runExample('build', { site, folders })).code).toBe(1);
      },
    );
    expect(asked).toHaveLength(1);
  });

  test('goes through a feed of several parts, and drops what is gone before it is asked for', async () => {
    const folders = await exampleFolders();
    const second = { ...head, resourceId: 2, resource: { ...resource, id: 2, uri: 'a.html' } };
    const more: Answer = { status: 200, object: { items: [second], total: 2, revision: 8, more: true } };
    const rest: Answer = {
      status: 200,
      object: { items: [{ resourceId: 1, publishedRevision: 1, withdrawn: true }], total: 1, revision: 9, more: false },
    };
    const asked = await scripted([listed, page, more, { status: 404 }, rest], async (site) => {
      await runExample('build', { site, folders });
      expect(sumOf((await runExample('refresh', { site, folders })).stdout)).toMatchObject({
        pages: 0,
        requests: 3,
        removed: 1,
      });
    });
    expect(asked.map(({ url }) => new URL(url ?? '', 'http://a').searchParams.get('changed_since'))).toEqual([
      null,
      null,
      '7',
      null,
      '8',
    ]);
    expect(Object.keys(await readFolder(folders.out)).filter((name) => name.endsWith('.html'))).toEqual([]);
  });

  test('writes no file outside its folder, and none twice', async () => {
    const folders = await exampleFolders();
    const evil = { ...head, resource: { ...resource, uri: '../../evil.html' } };
    const twin = { ...head, resourceId: 2, resource: { ...resource, id: 2, uri: 'index.html', pagetitle: 'Twin' } };
    const items = [{ ...evil, resourceId: 3 }, head, twin];
    const list: Answer = { status: 200, object: { items, total: 3, revision: 1 } };
    const answers = [evil, head, twin].map((one): Answer => ({ status: 200, object: { ...one, html: '' } }));
    await scripted([list, ...answers], async (site) => {
      const { code, stderr } = await runExample('build', { site, folders, env: {} });
      expect([code, stderr.split('\n').length]).toEqual([0, 3]);
    });
    const files = Object.keys(await readFolder(join(folders.out, '..')));
    expect(files.filter((name) => name.endsWith('.html'))).toEqual(['out/index.html']);
  });

  test('says which setting is missing', async () => {
    const folders = await exampleFolders();
    const { code, stderr } = await runExample('build', { site: { api: 'http://127.0.0.1:9/', token: '' }, folders });
    expect([code, stderr]).toEqual([1, 'PAGES_TOKEN is not set: hcd token create --scopes pages.read\n']);
  });
});
