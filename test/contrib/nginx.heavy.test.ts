/** nginx with the file of contrib/nginx in front of two servers, and the cache that is purged by tag. */
import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { sha256Hex } from '../../src/crypto/primitives.js';
import { startCli } from '../support/cli.js';
import { freePort } from '../support/free-port.js';
import { findProgram } from '../support/mariadb-server.js';
import { describeWithPrograms, startProgram } from '../support/programs.js';
import {
  type Ask,
  askThrough,
  contribFile,
  contribPath,
  countConnections,
  makeCertificate,
  remaining,
  restartUnderLoad,
  type SampleServers,
  startSampleServers,
} from './proxied-site.js';

describeWithPrograms(['nginx', 'openssl'], 'nginx with contrib/nginx/hcd.conf', () => {
  it('shows hcd the address of the client, whatever the client writes into X-Forwarded-For', async () => {
    const servers = await startSampleServers();
    const { ask } = await startNginx(servers, [servers.addresses[0]]);
    const first = await remaining(ask, { from: '127.0.0.2' });
    const spoofed = { 'x-forwarded-for': '203.0.113.7', 'x-real-ip': '203.0.113.7', forwarded: 'for=203.0.113.7' };
    expect(await remaining(ask, { from: '127.0.0.2', headers: spoofed })).toBe(first - 1);
    expect(await remaining(ask, { from: '127.0.0.3' })).toBe(first);
  });

  it('keeps its connections to hcd', async () => {
    const servers = await startSampleServers();
    const between = await countConnections(servers.addresses[0]);
    const { ask } = await startNginx(servers, [between.address]);
    for (let turn = 0; turn < 40; turn += 1) await remaining(ask, {});
    expect(between.count()).toBeLessThanOrEqual(2);
  });

  it('answers public requests from its cache, and those with a credential or a session never', async () => {
    const servers = await startSampleServers();
    const { ask } = await startNginx(servers, [servers.addresses[0]]);
    const page = '/api/v1/pages/equipment/tents';
    const seen = async (headers: Record<string, string> = {}) => (await ask(page, { headers })).headers['x-cache'];
    expect([await seen(), await seen(), await seen()]).toEqual(['MISS', 'HIT', 'HIT']);
    const fresh = await ask(page);
    const known = await ask(page, { headers: { 'if-none-match': fresh.headers.etag ?? '' } });
    expect([known.status, known.text]).toEqual([304, '']);
    const withKey = { authorization: `Bearer ${servers.key}` };
    expect([await seen(withKey), await seen(withKey)]).toEqual(['BYPASS', 'BYPASS']);
    expect(await seen({ 'x-api-key': servers.key })).toBe('BYPASS');
    // Not in Vary: without the rule the answer for everyone would come instead of the preview.
    expect(await seen({ 'x-preview-token': 'x' })).toBe('BYPASS');
    expect(await seen({ cookie: 'theme=dark; __Host-hcd_session=x' })).toBe('BYPASS');
    // Vary names it.
    expect(await seen({ 'x-context': 'journal' })).not.toBe('HIT');
  });

  it('lets an editor change what came compressed, with the tag that nginx weakened', async () => {
    const servers = await startSampleServers();
    const { ask } = await startNginx(servers, [servers.addresses[0]], {
      'proxy_set_header Connection "";':
        'proxy_set_header Connection ""; proxy_set_header Accept-Encoding ""; gzip on; gzip_proxied any; gzip_types application/json;',
    });
    const path = '/api/v1/resources/28';
    const headers = { authorization: `Bearer ${servers.key}`, 'accept-encoding': 'gzip' };
    const read = await ask(path, { headers });
    expect([read.status, read.headers['content-encoding'], read.headers['cache-control']]).toEqual([
      ...[200, 'gzip', 'private, no-store, no-transform'],
    ]);
    const tag = read.headers.etag ?? '';
    expect(tag).toMatch(/^W\/"/);
    const change = (ifMatch: string, longtitle: string) =>
      ask(path, { method: 'PATCH', headers: { ...headers, 'if-match': ifMatch }, body: JSON.stringify({ longtitle }) });
    expect((await change(tag, 'First')).status).toBe(200);
    expect((await change(tag, 'Second')).status).toBe(412);
  });

  it('shows a change after the purge that its webhook triggers', async () => {
    const servers = await startSampleServers();
    await servers.command('setting set gateway_webhook_allow_private_urls 1');
    const { ask, cache } = await startNginx(servers, [servers.addresses[0]]);
    const [listener, purger] = [await freePort(), await freePort()];
    const purging = startProgram('node', [contribPath('nginx/purge-by-tag.mjs'), cache, String(purger)]);
    await expect.poll(purging.said).toContain('ready');
    await servers.command(`webhook add --url http://127.0.0.1:${listener}/ --events *`);
    const listening = startCli(
      `webhook listen --port ${listener} --webhook 1 --forward http://127.0.0.1:${purger}/ --count 1`,
      { cwd: servers.folder, env: servers.env },
    );
    await listening.waitForStderr('listening on');

    const [changed, other] = ['/api/v1/resources/28?fields=id,longtitle', '/api/v1/resources/1?fields=id,longtitle'];
    for (const path of [changed, changed, other]) await ask(path);
    const body = JSON.stringify({ longtitle: 'Everything to carry' });
    const headers = { authorization: `Bearer ${servers.key}` };
    expect((await ask('/api/v1/resources/28', { method: 'PATCH', headers, body })).status).toBe(200);
    expect((await ask(changed)).headers['x-cache']).toBe('HIT');
    await servers.command('worker --once --quiet');
    expect((await listening.outcome).code).toBe(0);
    expect(purging.said()).toMatch(/removed [1-9]\d* answers/);

    const after = await ask(changed);
    expect([after.headers['x-cache'], JSON.parse(after.text).data.longtitle]).toEqual(['MISS', 'Everything to carry']);
    expect((await ask(other)).headers['x-cache']).toBe('HIT');
  });

  it('sends large files itself with the headers of hcd', async () => {
    const servers = await startSampleServers();
    const files = join(servers.folder, 'files');
    const texts = {
      'small.txt': 'small',
      'long, ünï.bin': 'long\n'.repeat(300_000),
      'map.svg': `<svg>${' '.repeat(1_200_000)}</svg>`,
    };
    await mkdir(files, { recursive: true });
    for (const [name, text] of Object.entries(texts)) await writeFile(join(files, name), text);
    const noise = randomBytes(900 * 700 * 3);
    await sharp(noise, { raw: { width: 900, height: 700, channels: 3 } })
      .png()
      .toFile(join(files, 'noise.png'));
    const port = await freePort();
    const env = { ...servers.env, HCD_SENDFILE_HEADER: 'X-Accel-Redirect' };
    const handing = startCli(`serve --port ${port}`, { cwd: servers.folder, env });
    await handing.waitForStderr('listening on');
    const { ask } = await startNginx(servers, [`127.0.0.1:${port}`]);

    const long = '/files/long%2C%20%C3%BCn%C3%AF.bin';
    const { etag = '', 'last-modified': modified = '' } = (await ask(long)).headers;
    const requests: readonly (readonly [string, Parameters<Ask>[1]?])[] = [
      ['/files/small.txt'],
      [long],
      [`${long}?v=${etag.replaceAll('"', '')}`],
      ['/files/map.svg'],
      ['/files/noise.png?w=640&format=png'],
      [long, { method: 'HEAD' }],
      [long, { headers: { range: 'bytes=5-1000004' } }],
      [long, { headers: { range: 'bytes=-7' } }],
      [long, { headers: { range: 'bytes=9000000-' } }],
      [long, { headers: { range: 'bytes=0-1,5-6' } }],
      [long, { headers: { range: 'bytes=0-9', 'if-range': etag } }],
      [long, { headers: { range: 'bytes=0-9', 'if-range': modified } }],
      [long, { headers: { range: 'bytes=0-9', 'if-range': '"another"' } }],
      [long, { headers: { 'if-none-match': etag } }],
      [long, { headers: { 'if-none-match': '"another"', 'if-modified-since': modified } }],
      [long, { headers: { 'if-modified-since': modified } }],
      [long, { headers: { 'if-match': etag } }],
      [long, { headers: { 'if-match': '"another"' } }],
      [long, { headers: { 'if-unmodified-since': new Date(0).toUTCString() } }],
      [long, { headers: { origin: 'http://localhost:3000' } }],
      ['/files/none.txt'],
    ];
    const ofConnections = [
      'connection',
      'date',
      'keep-alive',
      'server',
      'transfer-encoding',
      'x-cache',
      'x-request-id',
    ];
    for (const [path, how = {}] of requests) {
      const seen = (status: number, headers: object, text: string) => {
        const shown = Object.entries(headers).filter(([name]) => !ofConnections.includes(name));
        return {
          path,
          how,
          status,
          headers: Object.fromEntries(shown),
          text: sha256Hex(text.replace(/"request_id":"[^"]*"/, '')),
        };
      };
      const headers = { 'accept-encoding': 'identity', ...how.headers };
      const direct = await fetch(`http://${servers.addresses[0]}${path}`, { ...how, headers });
      const answer = await ask(path, how);
      expect(seen(answer.status, answer.headers, answer.text)).toEqual(
        seen(direct.status, Object.fromEntries(direct.headers), await direct.text()),
      );
    }
    const handed = await fetch(`http://127.0.0.1:${port}${long}`);
    expect([handed.headers.get('x-accel-redirect'), await handed.text()]).toEqual([`/.hcd-${long.slice(1)}`, '']);
    expect((await ask(long)).headers['x-accel-redirect']).toBeUndefined();
    for (const path of ['/.hcd-files/map.svg', '/.hcd-files/.hcd/variants/', '/%2ehcd-files/map.svg'])
      expect([path, (await ask(path)).status]).toEqual([path, 404]);
  });

  it.runIf(findProgram('python3'))('fails no request while two servers with kept sockets restart', async () => {
    const servers = await startSampleServers({ keepsSockets: true });
    const { ask } = await startNginx(servers, servers.addresses);
    expect(await restartUnderLoad(ask, servers, async () => undefined)).toEqual([]);
  });

  it('fails no read while two servers without kept sockets restart one after the other', async () => {
    const servers = await startSampleServers();
    const { ask } = await startNginx(servers, servers.addresses);
    // fail_timeout: so long nginx leaves a server alone that refused a connection.
    const settle = () => new Promise<void>((resolve) => setTimeout(resolve, 1500));
    const refused = await restartUnderLoad(ask, servers, settle);
    // Without health checks nginx may connect at the moment in which a server stops listening, and repeats reads only.
    expect(refused.filter((line) => !line.startsWith('PATCH: 502'))).toEqual([]);
  });
});

async function startNginx(
  { folder }: SampleServers,
  upstreams: readonly string[],
  lines: Readonly<Record<string, string>> = {},
): Promise<{ readonly ask: Ask; readonly cache: string }> {
  const port = await freePort();
  const cache = join(folder, 'nginx-cache');
  const { certificate, key } = await makeCertificate(folder);
  const line = (address: string) => `server ${address} max_fails=1 fail_timeout=1s;`;
  const site = await contribFile('nginx/hcd.conf', {
    ...lines,
    '/var/cache/nginx/hcd': cache,
    '/var/lib/hcd/files/': `${join(folder, 'files')}/`,
    'listen 443 ssl': `listen 127.0.0.1:${port} ssl`,
    '/etc/ssl/certs/example.com.pem': certificate,
    '/etc/ssl/private/example.com.key': key,
    [line('127.0.0.1:8080')]: upstreams.map(line).join('\n  '),
  });
  await mkdir(cache);
  const work = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const main = [
    // The temporary folder belongs to the user of the test.
    process.getuid?.() === 0 ? 'user root;' : '',
    `daemon off; worker_processes 1; pid ${join(folder, 'nginx.pid')}; error_log stderr notice;`,
    'events {}',
    `http { access_log off; ${work.map((name) => `${name}_temp_path ${join(folder, name)};`).join(' ')}`,
    site,
    '}',
  ].join('\n');
  const file = join(folder, 'nginx.conf');
  await writeFile(file, main);
  const nginx = startProgram('nginx', ['-p', folder, '-c', file, '-e', 'stderr']);
  await expect.poll(nginx.said).toContain('start worker process');
  return { ask: askThrough(port), cache };
}
