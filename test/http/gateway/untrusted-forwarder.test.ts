/** A proxy that is not named as trusted makes one visitor of all: the log says so once, and the store keeps it. */
import { expect, it } from 'vitest';
import { readUntrustedForwarder } from '../../../src/identity/limits/seen-requests.js';
import { prepareCliDatabase } from '../../support/cli-database.js';
import { fakeClock } from '../../support/clock.js';
import { describeEachDatabase } from '../../support/databases.js';
import { eventually } from '../../support/eventually.js';
import { sendRaw } from '../../support/raw-socket.js';
import { startTestSite } from '../../support/site.js';

const forwarded = { headers: { 'X-Forwarded-For': '198.51.100.7' } };

describeEachDatabase('a proxy that is not trusted', (database) => {
  it('is said once in the log and kept, so that doctor warns until the proxies are named', async () => {
    const db = await prepareCliDatabase(await database.url());
    const site = await startTestSite({ databaseUrl: db.url, env: { HCD_GATEWAY_RATE_LIMIT_ENABLED: '1' } });
    const said = () => site.log.filter((fact) => fact.kind === 'forwarder_untrusted');
    const kept = (trusted: readonly string[]) => readUntrustedForwarder(site.store.own.primary, trusted);
    const safeguards = async () =>
      (await db.run('doctor')).stdout.split('\n').filter((line) => /X-Forwarded/.test(line));
    await site.get('/resources');
    expect([said(), await kept([]), await safeguards()]).toEqual([[], null, []]);
    for (let count = 0; count < 3; count += 1) await site.get('/resources', forwarded);
    expect(said()).toEqual([{ kind: 'forwarder_untrusted', peer: '127.0.0.1' }]);
    expect(await eventually(async () => (await kept([])) ?? Promise.reject(new Error('not kept yet')))).toEqual({
      peer: '127.0.0.1',
      notedOn: expect.any(Number),
    });
    expect(await safeguards()).not.toEqual([]);
    await db.run('setting set gateway_trusted_proxies 127.0.0.1');
    await site.live.refresh();
    await site.get('/resources', forwarded);
    expect([said().length, await kept(['127.0.0.1']), await safeguards()]).toEqual([1, null, []]);
  });

  it.each(['X-Forwarded-Host', 'X-Forwarded-Proto'])('is also noted for %s alone', async (name) => {
    const db = await prepareCliDatabase(await database.url());
    const site = await startTestSite({ databaseUrl: db.url, env: { HCD_GATEWAY_RATE_LIMIT_ENABLED: '1' } });
    await site.get('/resources', { headers: { [name]: 'https' } });
    expect(site.log.filter((fact) => fact.kind === 'forwarder_untrusted')).toHaveLength(1);
  });

  it('names the host of requests, which doctor proposes as the address of the site', async () => {
    const db = await prepareCliDatabase(await database.url());
    const clock = fakeClock();
    const site = await startTestSite({ databaseUrl: db.url, clock });
    const proposed = async () => /gateway_site_url (\S+)/.exec((await db.run('doctor')).stdout)?.[1];
    const visit = async (...hosts: readonly string[]) => {
      for (const host of hosts) {
        const bytes = `GET /api/v1/resources HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer x\r\n\r\n`;
        await sendRaw({ port: Number(new URL(site.url).port), bytes });
      }
      await clock.advance(60_000);
    };
    await visit('localhost:8080', '127.0.0.1', '"; rm -rf', 'a b', `${'a'.repeat(400)}.test`);
    expect(await proposed()).toBe('https://HOST');
    await visit('www.example.com', 'forged.example.com');
    await eventually(async () => expect(await proposed()).toBe('https://www.example.com'));
  });
});
