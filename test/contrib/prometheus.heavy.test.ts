/** Prometheus with the files of contrib/prometheus scrapes a server; the dashboard shows only what exists. */
import { execFile } from 'node:child_process';
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { freePort } from '../support/free-port.js';
import { describeWithPrograms, startProgram } from '../support/programs.js';
import { contribFile, contribPath, startSampleServers } from './proxied-site.js';

const run = promisify(execFile);

describeWithPrograms(['prometheus', 'promtool'], 'Prometheus with contrib/prometheus', () => {
  it('scrapes a server, and finds every metric of the alerts and of the dashboard', async () => {
    const servers = await startSampleServers();
    const [address] = servers.addresses;
    await fetch(`http://${address}/api/v1/resources?limit=1`);
    const port = await freePort();
    const file = join(servers.folder, 'prometheus.yml');
    const text = await contribFile('prometheus/prometheus.yml', {
      'scrape_interval: 15s': 'scrape_interval: 1s',
      '127.0.0.1:9100': `127.0.0.1:${servers.adminPorts[0]}`,
    });
    await writeFile(file, text);
    await copyFile(contribPath('prometheus/alerts.yml'), join(servers.folder, 'alerts.yml'));
    startProgram('prometheus', [
      `--config.file=${file}`,
      `--storage.tsdb.path=${join(servers.folder, 'tsdb')}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ]);
    const ask = async (path: string): Promise<{ readonly data?: unknown }> => {
      const answer = await fetch(`http://127.0.0.1:${port}/api/v1/${path}`).catch(() => undefined);
      return answer === undefined ? {} : JSON.parse(await answer.text());
    };
    const requests = 'http_server_request_duration_seconds_count{job="hcd",kind="server",route="/resources"}';
    await expect
      .poll(() => ask(`query?query=${encodeURIComponent(requests)}`))
      .toMatchObject({ data: { result: [{ metric: { api: 'gateway', method: 'GET', status: '2xx' } }] } });

    const known = new Set(listOf((await ask('label/__name__/values')).data));
    const named = [
      await readFile(contribPath('prometheus/alerts.yml'), 'utf8'),
      await readFile(contribPath('grafana/hcd.json'), 'utf8'),
      await readFile(contribPath('../docs/monitoring.md'), 'utf8'),
    ].flatMap((source) =>
      [...source.matchAll(/\b(?:hcd_|http_server_|nodejs_|process_)\w*[a-z]\b/g)].map(([name]) => name),
    );
    // Pools are those of MariaDB, the servers have no Redis, and the histogram is stored as its parts.
    const isAbsent = (name: string) => name.startsWith('hcd_db_pool_') || name === 'hcd_redis_up';
    const missing = new Set(named.filter((name) => !known.has(name) && !known.has(`${name}_count`) && !isAbsent(name)));
    expect([...missing]).toEqual([]);
  });

  it('accepts the configuration and the alert rules', async () => {
    await run('promtool', ['check', 'config', contribPath('prometheus/prometheus.yml')]);
    await run('promtool', ['check', 'rules', contribPath('prometheus/alerts.yml')]);
  });
});

function listOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
