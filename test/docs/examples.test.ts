/** The curl lines of the documents work on the sample site and give what the document shows. */
import { beforeAll, describe, expect, test } from 'vitest';
import { startSampleSite } from '../support/sample-site.js';
import type { TestSite } from '../support/site.js';
import { readCurlExamples } from './curl-examples.js';

let site: TestSite;
/** For the documents that change what others read; they come in the order of the list below. */
let writable: TestSite;

beforeAll(async () => {
  site = await startSampleSite();
  writable = await startSampleSite({
    key: { kind: 'api_key', id: 'editor', scopes: new Set(editorScopes), userId: null },
  });
});

const editorScopes = ['read', 'create', 'update', 'delete'].map((action) => `resources.${action}`);

describe.each([
  ['README.md', () => writable],
  ['docs/gateway.md', () => site],
  ['docs/writing.md', () => writable],
] as const)('%s', (document, siteOf) => {
  const examples = readCurlExamples(document);

  test('shows curl lines', () => {
    expect(examples.length).toBeGreaterThan(2);
  });

  test.each(examples.map((example) => [example.line, example] as const))('%s', async (_line, example) => {
    const { method, body } = example;
    const headers = Object.fromEntries(
      Object.entries(example.headers).map(([name, value]) => [name, value.replace('$GATEWAY_KEY', 'key')]),
    );
    const response = await fetch(`${siteOf().url}${example.address}`, {
      method,
      headers,
      ...(body === null ? {} : { body }),
    });
    const text = await response.text();
    const isRefusal = example.shown !== null && /"(code|detail|errors)":/.test(example.shown);
    expect(response.ok).toBe(!isRefusal);
    expect(text).toContain(example.shown ?? '');
  });
});
