/**
 * Builds `dist/serve` from the compiled program: what `hcd serve` runs, in few files, because loading one file costs more
 * than most of them hold. Packages stay as they are. Part of `npm run build`.
 */
import { join } from 'node:path';
import { migrations } from '../migrations/list.js';
import { dist, importOneOf, readProgram, replaceText } from './bundle.js';

const program = await readProgram('commands/main.js', {
  // Helpers of the bundler are no package: they become part of the bundle.
  external: /^(?!@oxc-project\/)[^./\0]/,
  plugins: [
    replaceText(
      new Map([
        ['commands/program.js', ['import(file)', importOneOf(['serve'])]],
        ['migrations/list.js', ['import(file)', importOneOf(migrations.map(({ name }) => name))]],
        ['src/store/sqlite/thread.js', ['./statement-thread.js', '../src/store/sqlite/statement-thread.js']],
      ]),
    ),
  ],
});
await program.write({
  dir: join(dist, 'serve'),
  chunkFileNames: '[name].js',
  codeSplitting: {
    // A group takes what its files import as well, except what a group with a higher priority has.
    groups: [
      { name: 'start', test: /\/dist\/commands\/main\.js$/, priority: 3 },
      {
        name: 'server',
        test: /\/dist\/commands\/(?:serve|deps)\.js$|\/dist\/src\/store\/open\/open\.js$/,
        priority: 2,
      },
      { name: 'migrations', test: /\/dist\/migrations\/\d/, priority: 1 },
    ],
  },
});
