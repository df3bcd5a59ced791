/** What docs/webhooks.md gives receivers: its code verifies what this program sends, its schedule is the real one. */
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { createWebhookSecret } from '../../src/crypto/webhook-secret.js';
import { plannedDelay } from '../../src/webhooks/rules/retry.js';
import { deliveryHeaders } from '../../src/webhooks/rules/signatures.js';
import { repository } from '../architecture/source-file.js';
import { makeTempDir } from '../support/temp-dir.js';
import { readTable } from './markdown.js';

interface Asked {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly secret: string;
  readonly now?: number;
}

let isGenuine: (asked: Asked) => boolean;

beforeAll(async () => {
  const text = readFileSync(join(repository, 'docs/webhooks.md'), 'utf8');
  const code = /```js\n([\s\S]*?)```/.exec(text)?.[1] ?? '';
  const path = join(await makeTempDir('snippet'), 'is-genuine.mjs');
  await writeFile(path, code);
  isGenuine = (await import(pathToFileURL(path).href)).isGenuine;
});

const body = Buffer.from('{"type":"resources.updated","text":"ä😀"}');
const now = 1_795_253_400;

function headersFor(secrets: readonly string[]): Record<string, string> {
  const sent = {
    eventId: 'e1',
    event: 'resources.updated',
    deliveryId: 7,
    body: body.toString(),
    secrets,
    timestamp: now,
  };
  return { ...deliveryHeaders(sent) };
}

test.each([
  ['a fresh secret', createWebhookSecret()],
  ["a secret of one's own", 'päßwort with spaces'],
])('the code for Node.js accepts what is sent with %s, and nothing else', (_name, secret) => {
  const asked = { headers: headersFor([secret]), body, secret, now };
  expect([
    isGenuine(asked),
    isGenuine({ ...asked, headers: headersFor([createWebhookSecret(), secret]) }),
    isGenuine({ ...asked, secret: createWebhookSecret() }),
    isGenuine({ ...asked, body: Buffer.concat([body, Buffer.from(' ')]) }),
    isGenuine({ ...asked, now: now + 301 }),
    isGenuine({ ...asked, now: now - 301 }),
    isGenuine({ ...asked, headers: { ...asked.headers, 'webhook-id': 'e2' } }),
    isGenuine({ ...asked, headers: {} }),
  ]).toEqual([true, true, false, false, false, false, false, false]);
});

test('the table of attempts is the schedule', () => {
  const seconds: Readonly<Record<string, number>> = { second: 1, minute: 60, hour: 3600 };
  const read = (text: string): number =>
    [...text.matchAll(/([\d.]+) (second|minute|hour)/g)].reduce(
      (sum, [, amount, unit]) => sum + Number(amount) * (seconds[unit ?? ''] ?? 0),
      0,
    );
  let total = 0;
  const expected = [...Array(11).keys()].map((index) => {
    const delay = plannedDelay(index + 1) / 1000;
    total += delay;
    return { attempt: String(index + 2), delay, total };
  });
  const rows = readTable('docs/webhooks.md', 'Attempt').slice(1);
  const found = rows.map(([attempt = '', delay = '', whole = '']) => ({
    attempt,
    delay: read(delay),
    total: read(whole),
  }));
  expect(found.map(({ attempt, delay }) => ({ attempt, delay }))).toEqual(
    expected.map(({ attempt, delay }) => ({ attempt, delay })),
  );
  // Long times are rounded to minutes.
  for (const [index, row] of found.entries())
    expect(Math.abs(row.total - (expected[index]?.total ?? 0))).toBeLessThanOrEqual(30);
});
