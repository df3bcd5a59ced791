/**
 * Lists every page of a site: follows the cursor, waits as long as a refusal says, and keeps answers with their entity
 * tags in a file, so that a second run moves only what has changed.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';

const { HCD_URL = 'http://127.0.0.1:8080', HCD_KEY, HCD_KEPT = 'kept.json' } = process.env;
const tries = 5;
const before = await readFile(HCD_KEPT, 'utf8').then(JSON.parse, () => ({}));
const kept = {};
const counts = { requests: 0, unchanged: 0 };

async function ask(address) {
  for (let tried = 1; ; tried += 1) {
    const headers = HCD_KEY ? { Authorization: `Bearer ${HCD_KEY}` } : {};
    if (before[address]) headers['If-None-Match'] = before[address].etag;
    const response = await fetch(address, { headers });
    counts.requests += 1;
    if ((response.status === 429 || response.status === 503) && tried < tries) {
      await wait(Number(response.headers.get('Retry-After') ?? 1) * 1000);
      continue;
    }
    if (response.status === 304) {
      counts.unchanged += 1;
      kept[address] = before[address];
    } else if (response.ok) {
      kept[address] = { etag: response.headers.get('ETag'), body: await response.json() };
    } else {
      throw new Error(`${response.status} for ${address}: ${await response.text()}`);
    }
    return kept[address].body;
  }
}

let next = '/api/v1/resources?limit=100&sort=id&fields=id,uri,pagetitle';
while (next) {
  const { data, meta } = await ask(new URL(next, HCD_URL).href);
  for (const { id, uri, pagetitle } of data) process.stdout.write(`${id}\t/${uri}\t${pagetitle}\n`);
  const following = new URL(next, HCD_URL);
  if (meta.next_cursor) following.searchParams.set('cursor', meta.next_cursor);
  next = meta.next_cursor ? following.href : null;
}
await writeFile(HCD_KEPT, JSON.stringify(kept));
process.stderr.write(`${counts.requests} requests, ${counts.unchanged} unchanged\n`);
