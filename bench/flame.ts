/**
 * `npm run bench:flame`: where the event loop spends its time under a load of `bench:tracking`, as a flame graph. `--scenarios`
 * names the loads; each graph is a file of the folder `--out`.
 */
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { endOnSignals } from './children.js';
import { pinTo } from './find-program.js';
import { flameGraph, ownShares, readFlames } from './flame-graph.js';
import { canStartMariadb } from './mariadb-server.js';
import { readOptions } from './options.js';
import { startServerProcess } from './processes.js';
import { withServer } from './run.js';
import { floods, openTrackingSite, paths } from './tracking/tracking-site.js';
import { loadByVisitors } from './tracking/visitor-load.js';

/** The start of the server, and what the compiler of Node does at first, are left out. */
const skipped = 0.5;
const mostListed = 12;

endOnSignals();
const program = join(dirname(fileURLToPath(import.meta.url)), '../../bin/hcd');
const options = readOptions(['--seconds=20', ...process.argv.slice(2)], 'wrk');
const { folder, seconds, connections, out } = options;
await Promise.all([folder, out].map((path) => mkdir(path, { recursive: true })));

for (const database of options.databases) {
  if (database === 'mariadb' && !canStartMariadb()) continue;
  await withServer({ database, options }, async (serverUrl) => {
    for (const { name, kind, visitors } of floods) {
      if (options.scenarios.length > 0 && !options.scenarios.includes(name)) continue;
      const { env, store } = await openTrackingSite({ database, serverUrl, folder });
      await store.close();
      const profiles = await mkdtemp(join(folder, 'flame-'));
      const profiling = ['--cpu-prof', '--cpu-prof-interval', '200', '--cpu-prof-dir', profiles];
      const server = await startServerProcess({
        command: [...pinTo(0), process.execPath, ...profiling, program, 'serve', '--port', '0'],
        ...{ env, cwd: folder, logFile: join(folder, 'flame.log') },
      });
      try {
        await loadByVisitors({ port: server.port, path: paths[kind], visitors, seconds, connections, folder });
      } finally {
        await server.stop();
      }
      const flames = await readFlames(profiles, skipped);
      const title = `${name}, ${database}`;
      const file = join(out, `${title.replaceAll(/\W+/g, '-')}.svg`);
      await writeFile(file, flameGraph(flames, title));
      const { functions, kinds } = ownShares(flames);
      const percent = (share: number) => `${(share * 100).toFixed(1)} %`;
      const lines = functions.slice(0, mostListed).map((one) => `  ${percent(one.share)} ${one.name}`);
      const shares = `program ${percent(kinds.own)}, Node ${percent(kinds.node)}, outside of JavaScript ${percent(kinds.native)}`;
      process.stdout.write(`${title}: ${shares}\n${lines.join('\n')}\n${file}\n`);
    }
  });
}
