/** Every migration in the order of its name. From version 0.1.0 on, lines are only added, at the end. */
import type { Migration, MigrationTarget } from '../src/store/migrations/migration.js';

/** Loaded when a step runs: most commands only compare names. */
type Steps = Pick<Migration, 'up' | 'down'>;

function migration(name: string, target: MigrationTarget): Migration {
  const file = `./${name}.js`;
  const load = (): Promise<Steps> => import(file);
  return {
    name,
    target,
    up: async (context) => (await load()).up(context),
    down: async (context) => (await load()).down(context),
  };
}

export const migrations: readonly Migration[] = Object.freeze([
  migration('2026-11-28T02-own-state', 'own'),
  migration('2026-11-28T03-content-resources', 'content'),
  migration('2026-11-28T04-content-elements', 'content'),
  migration('2026-11-28T05-content-users', 'content'),
  migration('2026-11-28T06-content-seed', 'content'),
  migration('2026-11-28T07-own-identity', 'own'),
  migration('2026-11-28T08-own-gateway', 'own'),
  migration('2026-11-28T09-own-webhooks', 'own'),
  migration('2026-11-28T10-own-pages', 'own'),
  migration('2026-11-28T11-own-banners', 'own'),
  migration('2026-11-28T12-own-search', 'own'),
  migration('2026-11-28T13-own-known', 'own'),
  migration('2026-11-28T14-own-redirects', 'own'),
]);
