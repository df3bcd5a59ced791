/** A site with resources, published documents and a token, for questions to the page delivery API. */

import { publishPage, saveDraft, withdrawPage } from '../../../src/pages/authoring/change-page.js';
import type { PageAuthoring } from '../../../src/pages/authoring/write-page.js';
import type { Store } from '../../../src/store/open/open.js';
import { issue, start } from '../../identity/page-tokens/token-store.js';
import { type FakeClock, fakeClock } from '../../support/clock.js';
import { type Row, seed } from '../../support/seed.js';
import type { TestSite, TestSiteOptions } from '../../support/site.js';
import { type Asked, startPagesSite } from './token-site.js';

export interface PublishedSite {
  readonly site: TestSite;
  readonly clock: FakeClock;
  readonly token: string;
  /** Asks with the token. */
  ask(route: string, headers?: Readonly<Record<string, string>>): Promise<Asked>;
  /** The object of a good answer; throws for others. */
  get(route: string): Promise<Record<string, unknown>>;
  /** Puts resources into the content store. */
  resources(...rows: readonly Row[]): Promise<void>;
  /** Publishes a document with these sections; `sections` may lack what a draft fills in. */
  publish(resource: number, sections?: readonly unknown[]): Promise<void>;
  withdraw(resource: number): Promise<void>;
  /** Changes the content as another program does, without a notice. A second later every process has seen it. */
  change(...statements: readonly string[]): Promise<void>;
}

/** Without a notice: the server has to find the change itself. */
export const authoring = (store: Store): PageAuthoring => ({ store, by: 'test', tellReaders: async () => undefined });

/** The clock does not move; the throttle is off. */
export async function startPublishedSite(options: TestSiteOptions): Promise<PublishedSite> {
  const clock = fakeClock(start);
  const { site, ask } = await startPagesSite({
    clock,
    ...options,
    env: { HCD_PAGES_REST_THROTTLE_PER_MINUTE: '0', ...options.env },
  });
  const { token } = await issue(site.store);
  const asked = (route: string, headers?: Readonly<Record<string, string>>) => ask(route, token, headers);
  return {
    site,
    clock,
    token,
    ask: asked,
    async get(route) {
      const answer = await asked(route);
      if (answer.status !== 200) throw new Error(`${route}: ${answer.status} ${answer.text}`);
      return (answer.json() as { object: Record<string, unknown> }).object;
    },
    resources: (...rows) => seed(site.store, { site_content: rows }),
    async publish(resource, sections) {
      await publish(site.store, resource, sections);
      await site.live.refresh();
    },
    async withdraw(resource) {
      await withdrawPage(authoring(site.store), resource);
      await site.live.refresh();
    },
    async change(...statements) {
      await site.change(statements);
      await clock.advance(1000);
    },
  };
}

/** By the services that `hcd page` uses. */
export async function publish(store: Store, resource: number, sections: readonly unknown[] = [hero()]): Promise<void> {
  const document = { schemaVersion: 1, sections };
  await saveDraft(authoring(store), { resource, document, expected: null, publish: false });
  await publishPage(authoring(store), { resource, expected: null });
}

export function hero(title = 'Welcome', words: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return { type: 'hero', data: { title }, ...words };
}

export function richtext(content: string, words: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return { type: 'richtext', data: { content }, ...words };
}
