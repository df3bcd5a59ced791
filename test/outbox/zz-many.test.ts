/** Probe. */
import { expect, test } from 'vitest';
import { enqueue } from '../../src/outbox/enqueue.js';
import { describeEachDatabase } from '../support/databases.js';
import { answer, openOutbox, resourceUpdated, settings } from './outbox-store.js';
describeEachDatabase('many', (database) => {
  test('1000 subs', { timeout: 120000 }, async () => {
    const o = await openOutbox(database);
    for (let i = 0; i < 1000; i++) await o.subscribe({ url: `http://r${i}.example/` });
    for (let i = 0; i < 4; i++) { const t = performance.now(); await o.store.own.write((tx) => enqueue(tx, resourceUpdated)); console.log(database.name, 'enqueue 1000', (performance.now() - t).toFixed(1)); }
    let max = 0;
    const t = performance.now();
    const r = await o.once(async ({ url }) => { max = Math.max(max, 1); return answer(Number(url.slice(8).split('.')[0]) % 10 === 0 ? 200 : 500); }, { settings: () => ({ ...settings, gateway_webhook_disable_after_days: 0 }) });
    console.log(database.name, JSON.stringify(r), (performance.now() - t).toFixed(0), 'ms');
    expect(r.claimed).toBe(4000);
  });
  test('5 MiB', { timeout: 120000 }, async () => {
    const o = await openOutbox(database);
    for (let i = 0; i < 3; i++) await o.subscribe({ url: `http://r${i}.example/` });
    const revalidate = Array.from({ length: 60000 }, (_, i) => `gateway:resources:${i}:${'x'.repeat(70)}`);
    const t = performance.now();
    await o.store.own.write((tx) => enqueue(tx, { ...resourceUpdated, revalidate }));
    console.log(database.name, '5MiB enqueue', (performance.now() - t).toFixed(0));
    const r = await o.once(async ({ body }) => { console.log(body.length); return answer(200); });
    console.log(JSON.stringify(r));
  });
});
