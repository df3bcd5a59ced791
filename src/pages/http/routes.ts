/** Shared by the routes of both page APIs, which only read. */

import { anonymous, type Identity } from '../../access/identity.js';
import type { Settings } from '../../config/settings.js';
import type { Caller, Identify, Limit } from '../../http/interface/api.js';
import type { Endpoint, ParameterDoc } from '../../http/interface/endpoint.js';
import { clientNetwork, readBearer, readPreviewToken } from '../../http/interface/request-headers.js';
import { countRequest, type RateCounter, type RefusedKeys } from '../../identity/limits/counter.js';
import type { VerifyPreview } from '../../identity/previews/manage-previews.js';
import type { Json } from './schemas.js';

interface Route
  extends Pick<Endpoint, 'name' | 'path' | 'summary' | 'tags' | 'handler'>,
    Partial<Pick<Endpoint, 'parameters' | 'whenDisabled'>> {
  readonly scope: 'pages.read' | 'catalog.read' | null;
  readonly showsDrafts?: true;
  readonly description: string;
  readonly schema?: Json;
}

export function readRoute({ scope, showsDrafts, description, schema, parameters = [], ...route }: Route): Endpoint {
  return {
    ...route,
    method: 'GET',
    access: scope === null ? { kind: 'public' } : { kind: 'scope', scope, ...(showsDrafts ? { showsDrafts } : {}) },
    parameters,
    response: { status: 200, description, ...(schema === undefined ? {} : { schema }) },
  };
}

export const defaultContext = 'web';

export const contextParameter: ParameterDoc = {
  name: 'context',
  in: 'query',
  description: 'Key of a context.',
  schema: { type: 'string', default: defaultContext, minLength: 1, maxLength: 100 },
  example: 'web',
};

export const partParameters: readonly ParameterDoc[] = Object.freeze([
  {
    name: 'include',
    in: 'query',
    list: true,
    description: 'Comma list of the parts of the page: document, values, html, sections, hreflang.',
    schema: { type: 'string', default: 'document,values' },
    example: 'document,values',
  },
  {
    name: 'section_types',
    in: 'query',
    list: true,
    description: 'Comma list of the section types to keep, in every part.',
    schema: { type: 'string' },
  },
  {
    // Every other parameter: `utm_*` and those that the rules of a page ask for.
    name: '*',
    in: 'query',
    description:
      "The visitor's own parameters, by which sections are shown or not: `utm_source`, `utm_campaign` and all others that the rules of a page look at. Of one that comes more than once the first counts.",
    schema: { type: 'object', additionalProperties: { type: 'string' } },
  },
]);

export interface PageTokens {
  /** Null when the token is unknown, malformed, expired or revoked; a promise only if the database has to be asked. */
  verify(credential: string): Identity | null | Promise<Identity | null>;
}

/** A preview wins over a page token, which frontends always send. */
export function authenticatePages(
  caller: Caller,
  { tokens, verifyPreview }: { readonly tokens: PageTokens; readonly verifyPreview: VerifyPreview },
): ReturnType<Identify> {
  const preview = readPreviewToken(caller);
  if (preview !== null) return verifyPreview(preview);
  const credential = readBearer(caller);
  if (credential === null) return anonymous;
  return credential === '' ? null : tokens.verify(credential);
}

const windowSeconds = 60;

/** Callers of the page delivery API (docs/pages.md#refusals), with a page token or none; their limit. */
export function pagesLimit(
  settings: () => Pick<Settings, 'pages_rest_throttle_per_minute'>,
  { counter, refusedKeys }: { readonly counter: RateCounter; readonly refusedKeys: RefusedKeys },
): Limit {
  return ({ identity, refused, caller }) => {
    if (refused) return refusedKeys.verdict(clientNetwork(caller.clientIp));
    const max = settings().pages_rest_throttle_per_minute;
    // Without a valid token there is only the public description to read.
    if (max === 0 || (identity.kind !== 'page_token' && identity.kind !== 'preview')) return null;
    // Every route reads; writes would have another bucket, `|write`.
    return countRequest(counter, { bucket: `${identity.id}|read`, rule: { max, windowSeconds }, whenLost: 'alone' });
  };
}
