/** From a mutation to the receiver: the event is kept exactly when the change is, and arrives signed over real HTTP. */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../src/clock/clock.js';
import type { Mutation } from '../../src/content/live/mutation.js';
import { announceEvents, runMutation } from '../../src/content/mutations/run-mutation.js';
import type { Store } from '../../src/store/open/open.js';
import { openOutbound } from '../../src/webhooks/client/outbound.js';
import { databaseClock } from '../../src/webhooks/rules/deciding-time.js';
import { describeEachDatabase } from '../support/databases.js';
import { seed } from '../support/seed.js';
import { openOutbox, plainSecret } from './outbox-store.js';

const mutation: Mutation = {
  object: 'resources',
  action: 'updated',
  key: 42,
  context: 'web',
  uri: 'über uns.html',
  parent: 7,
  rows: [
    {
      object: 'resources',
      key: 42,
      before: { context_key: 'web', uri: 'about.html', parent: 7 },
      after: { context_key: 'web', uri: 'über uns.html', parent: 7 },
    },
  ],
};

/** Renames the resource; `fail` = the change is refused in the middle. */
function rename(store: Store, title: string, fail = false): Promise<string> {
  return runMutation({
    store,
    listeners: announceEvents(),
    seal: null,
    work: async (tx) => {
      await tx.run({ sql: 'UPDATE `modx_site_content` SET `pagetitle` = ? WHERE `id` = 42', params: [title] });
      if (fail) throw new Error('refused');
      return { mutation, result: title };
    },
  });
}

describeEachDatabase('a mutation', (database) => {
  test('queues one event per subscription that wants it, and a refused one queues none', async () => {
    const outbox = await openOutbox(database);
    await seed(outbox.store, { site_content: [{ id: 42 }] });
    const ids = [
      await outbox.subscribe({ events: ['resources.updated'] }),
      await outbox.subscribe(),
      await outbox.subscribe({ events: ['resources.created'] }),
    ];
    for (let turn = 0; turn < 10; turn += 1) {
      await rename(outbox.store, `title ${turn}`);
      await expect(rename(outbox.store, 'refused', true)).rejects.toThrow('refused');
    }
    const rows = await outbox.deliveries('subscription_id, revision');
    expect(rows).toEqual(
      Array.from({ length: 10 }, (_, at) =>
        ids.slice(0, 2).map((id) => ({ subscription_id: id, revision: at + 1 })),
      ).flat(),
    );
    const [{ body } = {}] = await outbox.deliveries('body');
    expect(JSON.parse(String(body))).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{32}$/),
      type: 'resources.updated',
      created_at: expect.stringMatching(/\+00:00$/),
      data: {
        object: 'resources',
        action: 'updated',
        id: '42',
        context: 'web',
        uri: 'über uns.html',
        parent: 7,
        revision: 1,
      },
      meta: {
        revalidate: [
          'gateway:resources',
          'gateway:context:web',
          'gateway:resources:42',
          'gateway:uri:%C3%BCber%20uns.html',
          'gateway:resources:7',
          'gateway:uri:about.html',
        ],
        source: 'hcd',
      },
    });
  });

  test('reaches a receiver over HTTP with bytes and headers that verify', async () => {
    const outbox = await openOutbox(database);
    await seed(outbox.store, { site_content: [{ id: 42 }] });
    const got: { body: string; headers: IncomingHttpHeaders; path: string | undefined }[] = [];
    const server = createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        got.push({ body: Buffer.concat(parts).toString('utf8'), headers: request.headers, path: request.url });
        response.writeHead(got.length === 1 ? 500 : 204).end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    });
    const { port } = server.address() as AddressInfo;
    await outbox.subscribe({ url: `http://127.0.0.1:${port}/hook?site=1` });
    await rename(outbox.store, 'a title');
    const outbound = openOutbound({ clock: systemClock });
    onTestFinished(() => outbound.close());
    const once = (laterMs: number) =>
      outbox.once(outbound.send, {
        clock: systemClock,
        time: (dialect) => `${databaseClock(dialect)} + ${laterMs}`,
      });
    expect(await once(0)).toMatchObject({ retried: 1 });
    expect(await once(0)).toMatchObject({ claimed: 0 });
    expect(await once(37_000)).toMatchObject({ delivered: 1 });
    const [row] = await outbox.deliveries('id, event_id, body, attempts, status');
    expect(row).toMatchObject({ attempts: 2, status: 'delivered' });
    expect(got.map(({ body, path }) => [body, path])).toEqual([
      [row?.['body'], '/hook?site=1'],
      [row?.['body'], '/hook?site=1'],
    ]);
    for (const { body, headers } of got) {
      const given = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
      expect(new Webhook(plainSecret).verify(body, given)).toMatchObject({ id: row?.['event_id'] });
      expect(given).toMatchObject({
        'content-type': 'application/json',
        'user-agent': 'hcd-Webhook/1.0',
        'webhook-id': row?.['event_id'],
        'x-gateway-event': 'resources.updated',
        'x-gateway-delivery-id': String(row?.['id']),
      });
    }
  });
});
