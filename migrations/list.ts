/** Every migration in the order of its name. A released line never moves or goes; new ones are added at the end. */
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
  migration('2026-11-21T01-own-state', 'own'),
  migration('2026-11-21T02-content-resources', 'content'),
  migration('2026-11-21T03-content-template-variables', 'content'),
  migration('2026-11-21T04-content-elements', 'content'),
  migration('2026-11-21T05-content-settings', 'content'),
  migration('2026-11-21T06-content-media-sources', 'content'),
  migration('2026-11-21T07-content-users', 'content'),
  migration('2026-11-21T08-content-access', 'content'),
  migration('2026-11-21T09-content-log', 'content'),
  migration('2026-11-21T10-content-seed', 'content'),
  migration('2026-11-21T11-own-copy-progress', 'own'),
  migration('2026-11-21T12-own-api-keys', 'own'),
  migration('2026-11-21T13-own-oauth', 'own'),
  migration('2026-11-21T14-own-rate-counters', 'own'),
  migration('2026-11-21T15-own-sessions', 'own'),
  migration('2026-11-21T16-own-idempotency', 'own'),
  migration('2026-11-21T17-own-audit', 'own'),
  migration('2026-11-21T18-own-changes', 'own'),
  migration('2026-11-21T19-own-webhooks', 'own'),
  migration('2026-11-21T20-own-pages', 'own'),
  migration('2026-11-21T21-own-banners', 'own'),
  migration('2026-11-22T01-own-login-networks', 'own'),
  migration('2026-11-23T01-own-processes', 'own'),
  migration('2026-11-23T02-own-delivery-traces', 'own'),
  migration('2026-11-23T03-own-previews', 'own'),
  migration('2026-11-24T01-own-search', 'own'),
  migration('2026-11-24T02-own-tv-values', 'own'),
  migration('2026-11-24T03-own-preview-sessions', 'own'),
  migration('2026-11-26T01-own-preview-log-ins', 'own'),
  migration('2026-11-28T01-content-alias-slashes', 'content'),
]);
