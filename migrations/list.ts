/** Every migration in the order of its name. A released line never moves or goes; new ones are added at the end. */
import type { Migration } from '../src/store/migrations/migration.js';
import * as ownState from './2026-11-21T01-own-state.js';
import * as contentResources from './2026-11-21T02-content-resources.js';
import * as contentTemplateVariables from './2026-11-21T03-content-template-variables.js';
import * as contentElements from './2026-11-21T04-content-elements.js';
import * as contentSettings from './2026-11-21T05-content-settings.js';
import * as contentMediaSources from './2026-11-21T06-content-media-sources.js';
import * as contentUsers from './2026-11-21T07-content-users.js';
import * as contentAccess from './2026-11-21T08-content-access.js';
import * as contentLog from './2026-11-21T09-content-log.js';
import * as contentSeed from './2026-11-21T10-content-seed.js';
import * as ownCopyProgress from './2026-11-21T11-own-copy-progress.js';
import * as ownApiKeys from './2026-11-21T12-own-api-keys.js';
import * as ownOauth from './2026-11-21T13-own-oauth.js';
import * as ownRateCounters from './2026-11-21T14-own-rate-counters.js';
import * as ownSessions from './2026-11-21T15-own-sessions.js';
import * as ownIdempotency from './2026-11-21T16-own-idempotency.js';
import * as ownAudit from './2026-11-21T17-own-audit.js';
import * as ownChanges from './2026-11-21T18-own-changes.js';
import * as ownWebhooks from './2026-11-21T19-own-webhooks.js';
import * as ownPages from './2026-11-21T20-own-pages.js';
import * as ownBanners from './2026-11-21T21-own-banners.js';
import * as ownLoginNetworks from './2026-11-22T01-own-login-networks.js';

export const migrations: readonly Migration[] = Object.freeze([
  ownState,
  contentResources,
  contentTemplateVariables,
  contentElements,
  contentSettings,
  contentMediaSources,
  contentUsers,
  contentAccess,
  contentLog,
  contentSeed,
  ownCopyProgress,
  ownApiKeys,
  ownOauth,
  ownRateCounters,
  ownSessions,
  ownIdempotency,
  ownAudit,
  ownChanges,
  ownWebhooks,
  ownPages,
  ownBanners,
  ownLoginNetworks,
]);
