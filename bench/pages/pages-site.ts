/** A fresh migrated site with published pages of twenty sections each, and a token for them. */

import { issueToken } from '../../src/identity/page-tokens/manage-tokens.js';
import { saveDraft } from '../../src/pages/authoring/change-page.js';
import { type OutboxSiteRequest, openOutboxSite } from '../outbox/outbox-site.js';
import { sectionSamples } from './section-samples.js';

export interface PagesSite {
  readonly databaseUrl: string;
  readonly token: string;
  /** Ids of the pages. */
  readonly pages: readonly number[];
}

export const sectionsOfPage = 20;

/** Throws away what an earlier run left under the name. */
export async function makePagesSite(request: OutboxSiteRequest, count: number): Promise<PagesSite> {
  const { databaseUrl, store } = await openOutboxSite(request);
  try {
    const pages = Array.from({ length: count }, (_none, at) => at + 1);
    await store.content.write(async (tx) => {
      for (const id of pages) {
        await tx.run({
          sql: `INSERT INTO \`${store.prefix}site_content\` (\`id\`, \`pagetitle\`, \`longtitle\`, \`description\`, \`alias\`, \`link_attributes\`,
            \`introtext\`, \`content\`, \`template\`, \`uri\`, \`published\`, \`createdon\`, \`class_key\`, \`context_key\`)
            VALUES (?, ?, '', '', ?, '', '', '', 1, ?, 1, 1700000000, 'MODX\\\\Revolution\\\\modDocument', 'web')`,
          params: [id, `Page ${id}`, `page-${id}`, `page-${id}.html`],
        });
      }
    });
    for (const resource of pages) {
      const document = { schemaVersion: 1, sections: sectionsOf(resource) };
      await saveDraft(
        { store, by: 'bench', tellReaders: async () => undefined },
        { resource, document, expected: null, publish: true },
      );
    }
    const { token } = await issueToken(store, {
      ...{ env: {}, name: 'bench', expiresOn: null, now: Date.now() },
      scopes: ['pages.read', 'catalog.read'],
    });
    return { databaseUrl, token, pages };
  } finally {
    await store.close();
  }
}

/** The shipped types with their samples, in turn, beginning with another one on every page. */
function sectionsOf(page: number): readonly unknown[] {
  const samples = Object.entries(sectionSamples);
  return Array.from({ length: sectionsOfPage }, (_none, at) => {
    const [type, data] = samples[(page + at) % samples.length] ?? [];
    return { type, data };
  });
}
