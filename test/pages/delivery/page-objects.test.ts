/** What the log says of sections that a page cannot show. */
import { expect, test } from 'vitest';
import type { Observation } from '../../../src/log/observation.js';
import { pageObject } from '../../../src/pages/delivery/page-objects.js';

test('names a section that is not rendered once for each version of a draft, however often it is read', () => {
  const logged: Observation[] = [];
  const facts = { id: 1, pagetitle: '', alias: '', uri: '', context: 'web', template: 0 };
  const asked = {
    ...{ include: new Set(['html'] as const), sectionTypes: null, hreflang: null },
    ...{
      found: { facts, text: '', publishedRevision: 0, publishedOn: null },
      inForce: { types: new Map(), generation: 1 },
    },
    visit: { context: 'web', query: new Map<string, string>(), isLoggedIn: false },
  };
  const section = { id: 'a', type: 'gone', typeVersion: 1, enabled: true, data: {}, settings: {} };
  const document = { schemaVersion: 1, sections: [section], trash: [] } as const;
  for (const revision of [2, 2, 3]) {
    const page = { key: `draft:1:${revision}`, resource: 1, revision, document, conditional: [] };
    pageObject({ ...asked, page }, (fact) => logged.push(fact));
  }
  const kind = 'section_not_rendered';
  expect(logged).toMatchObject([2, 3].map((revision) => ({ kind, section: 'a', revision })));
});
