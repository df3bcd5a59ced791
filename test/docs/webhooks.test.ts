/** What docs/webhooks.md gives receivers: its code verifies what this program sends, its schedule is the real one. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { createWebhookSecret } from '../../src/crypto/webhook-secret.js';
import { plannedDelay } from '../../src/webhooks/rules/retry.js';
import { deliveryHeaders } from '../../src/webhooks/rules/signatures.js';
import { makeTempDir } from '../support/temp-dir.js';
import { readDocument } from './markdown.js';

interface Asked {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly secret: string;
  readonly now?: number;
}

let isGenuine: (asked: Asked) => boolean;

beforeAll(async () => {
  const code = /```js\n([\s\S]*?)```/.exec(readDocument('docs/webhooks.md'))?.[1] ?? '';
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

test('the sentence on attempts says the schedule', () => {
  const delays = [...Array(11).keys()].map((index) => plannedDelay(index + 1) / 1000);
  expect(delays).toEqual(delays.map((_delay, index) => 30 * 2 ** index));
  const minutes = Math.round(delays.reduce((sum, delay) => sum + delay) / 60);
  expect(readDocument('docs/webhooks.md').replace(/\s+/g, ' ')).toContain(
    `The second attempt comes after 30 seconds. Each pause is then twice the one before, and the 12th attempt comes ${Math.floor(
      minutes / 60,
    )} hours ${minutes % 60} minutes after the first.`,
  );
});
