/** Makes the sites of a run without measuring: the large ones take a minute or two. */
import { join } from 'node:path';
import { endOnSignals } from './children.js';
import { pinTo } from './find-program.js';
import { provideSite } from './generate.js';
import { startBenchMariadb } from './mariadb-server.js';
import { readOptions } from './options.js';

endOnSignals();
const options = readOptions(process.argv.slice(2), 'wrk');
const say = (text: string) => void process.stderr.write(`${text}\n`);
for (const database of options.databases) {
  const server =
    database === 'mariadb' ? await startBenchMariadb(join(options.folder, 'mariadb'), pinTo(1)) : undefined;
  for (const count of options.rows) {
    await provideSite({ database, count, folder: options.folder, serverUrl: server?.url ?? '', say });
  }
  await server?.stop();
}
