/** The curl lines of the documents work on the sample site and give what the document shows. */
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { migrationRun } from '../../commands/migrate/migration-run.js';
import { apiNames } from '../../commands/serve/api-names.js';
import { loadSample } from '../../src/services/load-sample/load-sample.js';
import { migrateUp } from '../../src/store/migrate.js';
import { openStore } from '../../src/store/open.js';
import { startTestSite, type TestSite } from '../support/site.js';
import { makeTempDir } from '../support/temp-dir.js';
import { readCurlExamples } from './curl-examples.js';

let site: TestSite;

beforeAll(async () => {
  const databaseUrl = `sqlite:${join(await makeTempDir('docs'), 'sample.sqlite')}`;
  const target = { databaseUrl, prefix: 'modx_' };
  const empty = await openStore(target);
  await migrateUp(migrationRun(empty));
  await empty.close();
  const store = await openStore(target);
  await loadSample(store, { env: {}, apis: apiNames, onProgress: () => undefined });
  await store.close();
  site = await startTestSite({ databaseUrl });
});

describe.each(['README.md', 'docs/gateway.md'])('%s', (document) => {
  const examples = readCurlExamples(document);

  test('shows curl lines', () => {
    expect(examples.length).toBeGreaterThan(2);
  });

  test.each(examples.map((example) => [example.line, example] as const))('%s', async (_line, example) => {
    const response = await fetch(`${site.url}${example.address}`, { headers: example.headers });
    const text = await response.text();
    const isRefusal = example.shown !== null && /"(code|detail)":/.test(example.shown);
    expect(response.ok).toBe(!isRefusal);
    expect(text).toContain(example.shown ?? '');
  });
});
