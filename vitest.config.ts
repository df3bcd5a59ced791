/** How the tests run: two processes, no outside network, nothing left open, databases started on demand. */
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    pool: 'forks',
    maxWorkers: 2,
    globalSetup: ['test/support/global-setup.ts'],
    setupFiles: ['test/support/network-guard.ts', 'test/support/after-file.ts'],
    sequence: { hooks: 'stack' },
    testTimeout: 30_000,
    hookTimeout: 60_000,
    teardownTimeout: 20_000,
    restoreMocks: true,
  },
});
