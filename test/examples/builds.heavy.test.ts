/** A build that asks for each page of the sample site by itself: with a key for builds, and without one. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createClient } from '../../client/src/client.js';
import { buildKey, type ExampleSite, startExampleSite } from './example-site.js';

let site: ExampleSite;
const ids: number[] = [];

beforeAll(async () => {
  site = await startExampleSite();
});

afterAll(() => site?.close());

test('a key for builds is refused nothing', async () => {
  const builder = createClient({ url: site.url, key: await buildKey(site), retries: 0 });
  for await (const { id } of builder.all('resources', { fields: ['id'], context: 'web' })) ids.push(id as number);
  // More than twice what other callers may ask in a minute.
  expect(ids.length).toBeGreaterThan(240);
  for (const id of ids) expect((await builder.get('resources', id)).data.id).toBe(id);
});

test('the refusal of a build without a key says how to get one', async () => {
  const visitor = createClient({ url: site.url, retries: 0 });
  const build = async (): Promise<void> => {
    for (const id of ids) await visitor.get('resources', id);
  };
  await expect(build()).rejects.toMatchObject({
    status: 429,
    message: expect.stringMatching(/wait \d+ seconds\..* a key made with hcd key create --for build/),
  });
});
