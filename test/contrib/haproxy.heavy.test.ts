/** HAProxy with the file of contrib/haproxy in front of two servers. */
import { readFile, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { freePort } from '../support/free-port.js';
import { describeWithPrograms, startProgram } from '../support/programs.js';
import {
  type Ask,
  askThrough,
  contribFile,
  countConnections,
  makeCertificate,
  remaining,
  restartUnderLoad,
  type SampleServers,
  startSampleServers,
} from './proxied-site.js';

describeWithPrograms(['haproxy', 'openssl'], 'HAProxy with contrib/haproxy/hcd.cfg', () => {
  it('shows hcd the address of the client, whatever the client writes into X-Forwarded-For', async () => {
    const servers = await startSampleServers();
    const ask = await startHaproxy(servers, servers.addresses);
    const first = await remaining(ask, { from: '127.0.0.2' });
    expect(await remaining(ask, { from: '127.0.0.2', headers: { 'x-forwarded-for': '203.0.113.7' } })).toBe(first - 1);
    expect(await remaining(ask, { from: '127.0.0.3' })).toBe(first);
  });

  it('keeps its connections to hcd', async () => {
    const servers = await startSampleServers();
    const between = await countConnections(servers.addresses[0]);
    const ask = await startHaproxy(servers, [between.address, servers.addresses[1]]);
    await remaining(ask, {});
    const before = between.count();
    for (let turn = 0; turn < 40; turn += 1) await remaining(ask, {});
    // Its checks have connections of their own, two a second.
    expect(between.count() - before).toBeLessThan(30);
  });

  it('fails no request while two servers restart one after the other', async () => {
    const servers = await startSampleServers();
    const ask = await startHaproxy(servers, servers.addresses);
    const settle = () =>
      expect.poll(() => statesOfServers(servers.folder), { timeout: 120_000 }).toEqual({ one: 'UP', two: 'UP' });
    expect(await restartUnderLoad(ask, servers, settle)).toEqual([]);
  });
});

const statsSocket = 'stats.sock';

/** What HAProxy thinks of each server, from the columns `svname` and `status` of its statistics. */
async function statesOfServers(folder: string): Promise<Record<string, string | undefined>> {
  const socket = connect(join(folder, statsSocket));
  socket.end('show stat\n');
  const rows = (await text(socket)).split('\n').map((line) => line.split(','));
  const servers = rows.filter(([backend, name]) => backend === 'hcd' && /^(one|two)$/.test(name ?? ''));
  return Object.fromEntries(servers.map((columns) => [columns[1], columns[17]]));
}

async function startHaproxy({ folder, adminPorts }: SampleServers, addresses: readonly [string, string]): Promise<Ask> {
  const port = await freePort();
  const { certificate, key } = await makeCertificate(folder);
  const both = join(folder, 'both.pem');
  await writeFile(both, `${await readFile(certificate, 'utf8')}${await readFile(key, 'utf8')}`);
  const site = await contribFile('haproxy/hcd.cfg', {
    'bind :443 ssl': `bind 127.0.0.1:${port} ssl`,
    '/etc/haproxy/example.com.pem': both,
    '127.0.0.1:8080 port 9100': `${addresses[0]} port ${adminPorts[0]}`,
    '127.0.0.1:8082 port 9102': `${addresses[1]} port ${adminPorts[1]}`,
  });
  const file = join(folder, 'haproxy.cfg');
  await writeFile(file, `global\n  maxconn 200\n  stats socket ${join(folder, statsSocket)}\n\n${site}`);
  startProgram('haproxy', ['-db', '-f', file]);
  const ask = askThrough(port);
  const isUp = () =>
    ask('/api/v1/health').then(
      ({ status }) => status,
      () => 0,
    );
  await expect.poll(isUp).toBe(200);
  return ask;
}
