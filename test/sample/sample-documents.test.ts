/** The documents of the sample site keep to the shipped section types, lead nowhere that is not there, and show every type. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { diffPageDocuments } from '../../src/pages/rules/page-diff.js';
import type { PageDocument, PageSection } from '../../src/pages/rules/page-document.js';
import { publishProblems } from '../../src/pages/rules/page-problem.js';
import { readPageDocument } from '../../src/pages/rules/read-page-document.js';
import { renderSections } from '../../src/pages/rules/render.js';
import { isConditional } from '../../src/pages/rules/section-settings.js';
import { repository } from '../architecture/source-file.js';
import { basicTypes, rulesWith } from '../pages/rules/section-types.js';
import { findActiveContent, readStrictHtml } from '../pages/rules/strict-html.js';
import { living, recordsOf } from './sample-rows.js';

interface Sections {
  readonly sections: readonly PageSection[];
}

interface PageRecord {
  readonly resource: number;
  readonly published: readonly Sections[];
  readonly draft: Sections | null;
  readonly withdrawn: boolean;
}

const pages: readonly PageRecord[] = recordsOf('pages').map(({ record }) => {
  const { context, uri } = record['resource'] as { readonly context: string; readonly uri: string };
  const found = living.find((row) => row['context_key'] === context && row['uri'] === uri);
  return { published: [], draft: null, withdrawn: false, ...record, resource: Number(found?.['id']) };
});
const documents = pages.flatMap(({ resource, published, draft }) =>
  [...published, ...(draft ? [draft] : [])].map((document, at) => ({ name: `${resource}, ${at + 1}`, document })),
);
const last = pages.flatMap(({ resource, published, withdrawn }) => {
  const document = published.at(-1);
  return document && !withdrawn ? [{ resource, document: read(document) }] : [];
});

function read(given: unknown): PageDocument {
  const { value, problems } = readPageDocument(given, rulesWith());
  if (!value) throw new Error(JSON.stringify(problems));
  return value;
}

describe('each document', () => {
  test.each(documents)('is in its normal form already and can be published: $name', ({ document }) => {
    const { value, problems } = readPageDocument(document, rulesWith());
    expect(problems).toEqual([]);
    expect(value && publishProblems(value, basicTypes)).toEqual([]);
    // What a reader of the sample finds in the code is what is delivered, apart from defaults and addresses of players.
    expect(value?.sections.map(({ id, type, enabled, settings }) => ({ id, type, enabled, settings }))).toEqual(
      document.sections.map(({ id, type, enabled, settings }) => ({ id, type, enabled, settings })),
    );
    expect(value?.sections.map(({ data }) => data)).toEqual(document.sections.map(({ data }) => data));
  });

  test.each(documents)('renders without a failure, and nothing in it can run: $name', ({ document }) => {
    for (const { html, failure } of renderSections(read(document).sections, basicTypes)) {
      expect(failure).toBeNull();
      expect(findActiveContent(html)).toEqual([]);
    }
  });
});

describe('all together', () => {
  test('belong to living pages, one document each', () => {
    const ids = living.map(({ id }) => id);
    expect(pages.filter(({ resource }) => !ids.includes(resource))).toEqual([]);
    expect(new Set(pages.map(({ resource }) => resource)).size).toBe(pages.length);
  });

  test('show twelve pages and more to readers, with every shipped section type among them', () => {
    const published = new Set(living.filter((row) => row['published'] === 1).map(({ id }) => id));
    const shown = last.filter(({ resource }) => published.has(resource));
    expect(shown.length).toBeGreaterThanOrEqual(12);
    const used = new Set(shown.flatMap(({ document }) => document.sections.map(({ type }) => type)));
    expect([...used].sort()).toEqual([...basicTypes.keys()].sort());
  });

  test('hold a draft that was never published, one that waits, a withdrawn page and a page that is not public', () => {
    expect(pages.filter(({ published }) => published.length === 0)).toHaveLength(1);
    expect(pages.filter(({ published, draft }) => published.length > 0 && draft)).toHaveLength(1);
    expect(pages.filter(({ withdrawn }) => withdrawn)).toHaveLength(1);
    const published = new Set(living.filter((row) => row['published'] === 1).map(({ id }) => id));
    expect(last.filter(({ resource }) => !published.has(resource))).toHaveLength(1);
  });

  test('hold a page with three revisions that differ in every way', () => {
    const revisions = pages.find(({ published }) => published.length === 3)?.published.map(read) ?? [];
    const [first, second, third] = revisions;
    if (!first || !second || !third) throw new Error('no page has three revisions');
    const changes = [diffPageDocuments(first, second), diffPageDocuments(second, third)].flat();
    expect(new Set(changes.map(({ kind }) => kind))).toEqual(new Set(['added', 'changed', 'moved', 'removed']));
  });

  test('hold a page whose sections depend on the request, by every kind of rule', () => {
    const rules = last.flatMap(({ document }) =>
      document.sections.filter(isConditional).map(({ settings }) => settings),
    );
    expect(rules.filter(({ utm }) => utm)).toHaveLength(1);
    expect(rules.filter(({ contexts }) => contexts)).toHaveLength(1);
    expect(rules.flatMap(({ conditions }) => conditions ?? []).map(({ type }) => type)).toEqual([
      'query',
      'guest',
      'logged_in',
    ]);
    expect(last.flatMap(({ document }) => document.sections).filter(({ enabled }) => !enabled)).toHaveLength(1);
  });

  test('lead only to pages that are delivered and files that are there', () => {
    const addresses = documents.flatMap(({ document }) =>
      renderSections(read(document).sections, basicTypes).flatMap(({ html }) =>
        readStrictHtml(html).flatMap(({ attributes }) =>
          ['href', 'src', 'poster'].flatMap((name) => attributes.get(name) ?? []),
        ),
      ),
    );
    const inside = addresses.filter((address) => address.startsWith('/'));
    const [files, links] = [true, false].map((isFile) =>
      inside.filter((address) => address.startsWith('/files/') === isFile),
    );
    const shown = new Set<unknown>(last.map(({ resource }) => resource));
    const uris = new Set(living.filter(({ id }) => shown.has(id)).map(({ uri }) => `/${uri}`));
    expect(links?.filter((address) => !uris.has(address))).toEqual([]);
    const folder = join(repository, 'assets/sample');
    expect(files?.length).toBeGreaterThan(20);
    expect(files?.filter((address) => !existsSync(join(folder, address)))).toEqual([]);
    expect(addresses.filter((address) => !/^(\/|mailto:|tel:)/.test(address))).toEqual([]);
  });

  test('say the size of each picture as its file has it', () => {
    const sizes = JSON.stringify(documents).matchAll(/"url":"([^"]+\.svg)"[^}]*?"width":(\d+),"height":(\d+)/g);
    const wrong = [...sizes].filter(([, url = '', width, height]) => {
      const file = readFileSync(join(repository, 'assets/sample', url), 'utf8');
      return !file.includes(` width="${width}" height="${height}"`);
    });
    expect(wrong.map(([, url]) => url)).toEqual([]);
  });
});
