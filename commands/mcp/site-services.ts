/** What an assistant may ask of a site: the gateway, in this process, and services without a route, by one key. */

import { holdsScope } from '../../src/access/admit.js';
import type { ApiKeyIdentity } from '../../src/access/identity.js';
import { parseRange } from '../../src/banners/rules/periods.js';
import { readStatistics, readTop } from '../../src/banners/statistics/statistics.js';
import { offeredObjects } from '../../src/content/query/authorize.js';
import { randomId } from '../../src/crypto/primitives.js';
import { AppError } from '../../src/errors/app-error.js';
import { AuditLog } from '../../src/gateway/audit/audit-log.js';
import { problemOf } from '../../src/gateway/http/envelope.js';
import { buildOpenApi } from '../../src/gateway/openapi/openapi.js';
import type { OpenApiDocument } from '../../src/http/interface/openapi.js';
import { KeyVerifier } from '../../src/identity/keys/key-verifier.js';
import { publishPage, saveDraft } from '../../src/pages/authoring/change-page.js';
import { loadDocument, loadPage, type PageView } from '../../src/pages/authoring/page-view.js';
import type { PageAuthoring } from '../../src/pages/authoring/write-page.js';
import { PageDelivery } from '../../src/pages/delivery/page-delivery.js';
import { reconcilePages } from '../../src/pages/delivery/reconcile.js';
import { formatPageProblem } from '../../src/pages/rules/page-problem.js';
import type { JsonObject } from '../../src/values/json.js';
import type { SiteDeps } from '../deps.js';
import { startSite } from '../serve/start-site.js';
import type { GatewayRequest, ServiceName, Tool, ToolInput } from './tools.js';

export type SiteServices = Awaited<ReturnType<typeof openSiteServices>>;
type ServiceAnswer = Extract<Tool['answer'], { readonly by: 'service' }>;

const loopback = '127.0.0.1';

/** Throws invalid_token for a key that does not work. */
export async function openSiteServices(deps: SiteDeps, key: string) {
  const { store, env, clock, log } = deps;
  const keys = new KeyVerifier({ store, clock, log });
  await verified(keys, key);
  const registry = await deps.registry();
  const { secret } = deps.loadConfig().config;
  const running = await startSite({
    ...{ store, registry, env, clock, log, secret, version: deps.version },
    ...{ apis: ['gateway'], host: loopback, port: 0, limits: { announceMs: 0 } },
  });
  const { site, server, countCaller } = running;
  const live = () => site.live.current();
  const delivery = new PageDelivery({
    ...{ store, registry, clock, log, live, reader: site.reader, principal: site.principal },
    wrap: JSON.stringify,
  });
  site.live.changes.onChange(() => delivery.noteChange());
  const audit = new AuditLog({ own: store.own, clock, log });

  const authoringOf = (who: ApiKeyIdentity): PageAuthoring => ({
    ...{ store, by: `api_key:${who.id}` },
    tellReaders: async () => void (await reconcilePages({ store, registry, reader: site.reader, live })),
  });
  const versionsOf = ({ resource, lastPublished }: PageView) => ({ id: resource, published_revision: lastPublished });

  const services: Readonly<Record<ServiceName, (input: ToolInput, who: ApiKeyIdentity) => Promise<unknown>>> = {
    pages: ({ context = 'web', search = null, limit = 20, offset = 0 }) =>
      delivery.list({
        ...{ context: String(context), search: search === null ? null : String(search) },
        ...{ limit: Number(limit), offset: Number(offset), asker: { group: 'mcp', caller: 'mcp' } },
      }),
    async document({ id }) {
      const { body } = await delivery.page({
        ...{ name: { kind: 'id', id: Number(id) }, context: null, hiddenAs: 'missing', sectionTypes: null },
        ...{ include: new Set(['document', 'values'] as const), query: () => new Map() },
      });
      return JSON.parse(body.toString()) as unknown;
    },
    async draft({ id }) {
      const page = await loadPage(store, Number(id));
      const { document } = await loadDocument(store, page, 'draft');
      return { ...versionsOf(page), revision: page.revision, document };
    },
    types: async () => JSON.parse((await delivery.catalog(null)).body.toString()) as unknown,
    async statistics({ period = 'last_7_days' }) {
      const now = { now: clock.now(), zone: live().settings.values.banners_timezone };
      const range = parseRange({ period: String(period) }, now);
      const question = { range, subject: { banner: 0, position: 0 }, clock: now };
      const { summary, by_day } = await readStatistics(store.own.primary, question);
      const { rows } = await readTop(store.own.primary, { ...question, by: 'ad', limit: 10 });
      return { summary, by_day, top_ads: rows };
    },
    async publish({ id }, who) {
      const request = { resource: Number(id), expected: null, onlyChanges: true };
      return versionsOf(await publishPage(authoringOf(who), request));
    },
    async edit({ id, document, revision = null }, who) {
      const expected = revision === null ? null : Number(revision);
      const request = { resource: Number(id), document, expected, publish: false };
      const { page, missing } = await saveDraft(authoringOf(who), request);
      return { ...versionsOf(page), revision: page.revision, missing: missing.map(formatPageProblem) };
    },
  };

  return {
    async ask({ method, path, body }: GatewayRequest) {
      const base = `http://${loopback}:${server.port}${live().settings.values.gateway_api_prefix}/v1`;
      const response = await fetch(`${base}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${key}`,
          accept: 'application/json',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return { status: response.status, body: (await response.json()) as JsonObject };
    },
    /** Throws scope_denied where the key does not allow it. */
    async serve({ name, writes }: Tool, { service, scope }: ServiceAnswer, input: ToolInput) {
      const identity = await verified(keys, key);
      const begun = clock.elapsed();
      const note = (status: number): void => {
        const { gateway_audit_enabled, gateway_context: context } = live().settings.values;
        if (!writes || !gateway_audit_enabled) return;
        const durationMs = clock.elapsed() - begun;
        const entry = { requestId: randomId(), method: 'POST', path: `/mcp/${name}`, status, durationMs };
        audit.note({ ...entry, identity, context });
      };
      try {
        if (!holdsScope(identity, scope, { holds: () => false })) {
          throw new AppError('scope_denied', {
            message: `Insufficient permissions: this needs the scope ${scope}`,
          });
        }
        const verdict = await countCaller({ identity, address: loopback, whenLost: 'refuse' });
        if (verdict?.error !== undefined) throw verdict.error;
        const done = await services[service](input, identity);
        note(200);
        return done as JsonObject;
      } catch (error) {
        note(error instanceof AppError ? problemOf(error.code).status : 500);
        throw error;
      }
    },
    document(): OpenApiDocument {
      const { gateway_max_limit: maxLimit, gateway_extended_columns: isExtended } = live().settings.values;
      const endpoints = running.apis.flatMap((api) => api.endpoints);
      const offered = offeredObjects(registry, isExtended);
      const base = { endpoints, registry: offered, base: '', address: '', version: deps.version };
      return buildOpenApi({ ...base, maxLimit, filters: 'together' });
    },
    async close() {
      await audit.close();
      await running.close();
    },
  };
}

/** A key may be revoked while the assistant works. */
async function verified(keys: KeyVerifier, key: string): Promise<ApiKeyIdentity> {
  const identity = await keys.verify(key);
  if (identity === null)
    throw new AppError('invalid_token', { message: 'The key is not one of this site, or has ended' });
  return identity;
}
