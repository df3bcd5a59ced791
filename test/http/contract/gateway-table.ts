/** The gateway's endpoint table, and a site on which every row of it has something to answer with. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { requiredScope } from '../../../src/access/admit.js';
import type { Identity } from '../../../src/access/identity.js';
import { type Clock, systemClock } from '../../../src/clock/clock.js';
import { buildRegistry } from '../../../src/content/objects/core-objects.js';
import { gatewayEndpoints } from '../../../src/gateway/endpoints/api.js';
import type { ChangesDeps } from '../../../src/gateway/endpoints/changes.js';
import { type GatewayDeps, newPlanMemos } from '../../../src/gateway/http/deps.js';
import type { Endpoint } from '../../../src/http/interface/endpoint.js';
import { freshSqliteUrl } from '../../support/databases.js';
import { startTestSite, type TestSite } from '../../support/site.js';
import { makeTempDir } from '../../support/temp-dir.js';

/** Records that exist, so that a refusal is about rights and nothing else. */
const examples: Readonly<Record<string, string>> = {
  id: '1',
  key: 'web',
  name: 'resources',
  slug: 'not-found',
  uri: 'index',
  path: 'lamp.jpg',
};

const noSessions = { holds: () => false };

/** The table as the server makes it; its handlers are not called here. */
function endpointTable(): readonly Endpoint[] {
  const unused = (): never => {
    throw new Error('handlers are not called');
  };
  const deps: ChangesDeps = {
    registry: buildRegistry([]),
    reader: { db: { dialect: 'sqlite', select: unused } } as unknown as GatewayDeps['reader'],
    writer: { live: unused } as unknown as GatewayDeps['writer'],
    ...{ live: unused, settings: unused },
    principal: unused,
    sessions: noSessions,
    sessionService: { find: unused, open: unused, end: unused, close: unused },
    logIn: unused,
    oauth: { issue: unused, revoke: unused, introspect: unused },
    ping: unused,
    now: unused,
    version: '',
    base: () => '/api/v1',
    memos: newPlanMemos(),
    countCaller: () => null,
    audit: () => undefined,
    feed: {} as unknown as GatewayDeps['feed'],
    clock: systemClock,
    identify: unused,
    draftRevision: unused,
    otherDocuments: () => [],
    files: null,
  };
  return gatewayEndpoints(deps);
}

export const endpoints = endpointTable();
/** The path with existing records instead of its parameters. */
export function pathOf({ path, method }: Endpoint): string {
  return path.replace(/[:*](\w+)/g, (_whole, name: string) => {
    // What one caller removes is gone for the next: a removal is asked for where there is nothing.
    if (name === 'id' && method === 'DELETE') return '4000';
    return examples[name] ?? `no example for ${name}`;
  });
}

/** The scope of a row; null for routes that every caller may use. */
export function scopeOf({ access }: Endpoint): string | null {
  return access.kind === 'public' || access.kind === 'session' ? null : requiredScope(access, examples);
}

/** Starts the site with one record of every object. */
export async function startFilledSite(options: {
  readonly identities: Readonly<Record<string, Identity>>;
  readonly clock?: Clock;
  readonly env?: Readonly<Record<string, string>>;
}): Promise<TestSite> {
  const filesDir = await makeTempDir('files');
  await writeFile(join(filesDir, 'lamp.jpg'), 'a lamp');
  const site = await startTestSite({ databaseUrl: await freshSqliteUrl(), filesDir, ...options });
  await fillSite(site);
  return site;
}

/** One record of every object, with the ids that `pathOf` names. */
export async function fillSite(site: TestSite): Promise<void> {
  await site.fill({
    site_content: [{ id: 1, pagetitle: 'Home', alias: 'index', uri: 'index.html' }],
    site_htmlsnippets: [{ id: 1, name: 'one' }],
    site_snippets: [{ id: 1, name: 'one' }],
    site_templates: [{ id: 1, templatename: 'one' }],
    site_tmplvars: [{ id: 1, name: 'one', type: 'text' }],
    categories: [{ id: 1, category: 'One' }],
  });
}
