/**
 * How the tests run: few processes, no outside network, nothing left open, databases started on demand. `rules` is what
 * `npm test` runs; `heavy` and `faults` are `npm run test:faults`. Tests that freeze or watch processes come last and one
 * at a time: what they look at is time, which others would take. Those that kill, or fill a disk, look at what is left,
 * whenever that is.
 */
import { defineConfig } from 'vitest/config';

const kills = [
  ...['*-kills', 'keyed-posts', 'galera', 'outbox-crash-points', 'sqlite-*'],
  ...['serve-workers', 'outbox-workers', 'outbox-mariadb', 'shared-changes', 'disk'],
].map((name) => `test/faults/${name}.test.ts`);
const heavy = ['test/**/*.heavy.test.ts', ...kills];
const memory = 'test/operations/transfer/memory.heavy.test.ts';
const faults = 'test/faults/**/*.test.ts';

export default defineConfig({
  test: {
    pool: 'forks',
    maxWorkers: 2,
    // Loading the program takes longer than most files of tests: those that a process runs share its modules.
    isolate: false,
    globalSetup: ['test/support/global-setup.ts'],
    setupFiles: ['network-guard', 'property-seed', 'after-file', 'check-answers'].map(
      (name) => `test/support/${name}.ts`,
    ),
    sequence: { hooks: 'stack' },
    // All of these end what never comes: a slow or busy machine takes the time that it takes.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    teardownTimeout: 60_000,
    expect: { poll: { timeout: 60_000, interval: 20 } },
    restoreMocks: true,
    projects: [
      {
        extends: true,
        test: {
          name: 'rules',
          include: ['test/**/*.test.ts'],
          exclude: [...heavy, faults],
          // A quarter of their time they wait, for a database or for an interval to end.
          maxWorkers: 3,
        },
      },
      {
        extends: true,
        test: {
          name: 'heavy',
          include: heavy,
          exclude: [memory],
          maxWorkers: 3,
          sequence: { hooks: 'stack', groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'faults',
          include: [faults, memory],
          exclude: kills,
          maxWorkers: 1,
          // Their process is theirs: other files would add to what they measure, or hold up their event loop.
          isolate: true,
          sequence: { hooks: 'stack', groupOrder: 2 },
        },
      },
    ],
  },
});
