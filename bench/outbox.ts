/** `npm run bench:outbox`: what webhooks cost a change, how fast a worker delivers, and what a full table does to it. */
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { endOnSignals } from './children.js';
import type { Spread } from './figures.js';
import type { DatabaseName } from './generate.js';
import { canStartMariadb } from './mariadb-server.js';
import { readOptions } from './options.js';
import { measureClaiming } from './outbox/claiming.js';
import { measureDelivering } from './outbox/delivering.js';
import { measureQueueing } from './outbox/queueing.js';
import { startServerProcess } from './processes.js';
import { withServer } from './run.js';

endOnSignals();
const compiled = dirname(fileURLToPath(import.meta.url));
const root = join(compiled, '../..');
const options = readOptions(process.argv.slice(2), 'node');
const { folder, rounds } = options;
const finished = Math.max(...options.rows);
const deliveries = Math.min(10_000, finished);
await mkdir(folder, { recursive: true });
const receiver = await startServerProcess({
  command: [process.execPath, join(compiled, 'targets/receiver.js')],
  ...{ env: {}, cwd: folder, logFile: join(folder, 'receiver.log') },
});
const origin = `http://127.0.0.1:${receiver.port}`;

print('| database | figure | measured | least and most of the rounds |');
print('| --- | --- | --- | --- |');
try {
  for (const database of options.databases) {
    if (database === 'mariadb' && !canStartMariadb()) continue;
    await withServer({ database, options }, (serverUrl) => measureAll(database, serverUrl));
  }
} finally {
  await receiver.stop();
}

async function measureAll(database: DatabaseName, serverUrl: string): Promise<void> {
  const site = { database, serverUrl, folder };
  const queueing = await measureQueueing({ ...site, name: 'outbox_queueing', root, rounds });
  row(database, 'a change with 10 subscriptions against one with none, time', queueing.ratio);
  const delivering = await measureDelivering({ ...site, name: 'outbox_delivering', origin, deliveries, rounds });
  row(database, `worker against a bare loop, ${deliveries} deliveries, rate`, delivering.ratio);
  row(database, 'the same, processor time of its process for a delivery (bare loop / worker)', delivering.cost);
  const { first, last } = delivering.memory;
  print(
    `| ${database} | memory after the first round and at the end, MiB | ${first.toFixed(0)}, ${last.toFixed(0)} | |`,
  );
  const claiming = await measureClaiming({ ...site, name: 'outbox_claiming', finished, rounds });
  const { p99 } = claiming;
  const slowest = `p99 ${p99.full.toFixed(1)} ms against ${p99.empty.toFixed(1)} ms`;
  print(
    `| ${database} | claim among ${finished} finished rows against none, time | ${claiming.ratio.toFixed(2)} | ${slowest} |`,
  );
  process.stderr.write(`${JSON.stringify({ database, queueing, delivering, claiming })}\n`);
}

function row(database: DatabaseName, figure: string, { median, least, most }: Spread): void {
  print(`| ${database} | ${figure} | ${median.toFixed(2)} | ${least.toFixed(2)} to ${most.toFixed(2)} |`);
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
