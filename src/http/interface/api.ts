/** The description of an API for the shared HTTP mechanism: mounts, endpoints, order of checks, functions. */
import type { Middleware } from 'koa';
import type { Identity } from '../../access/identity.js';
import type { AppError } from '../../errors/app-error.js';
import type { JsonLimits } from '../../values/json-reader.js';
import type { Call, Endpoint, ParameterDoc, Reply } from './endpoint.js';
import { previewParameter } from './request-headers.js';

export interface Mount {
  readonly base: string;
  /** For links and `instance`: the same for every entry of the API. */
  readonly linkBase: string;
  /** May carry the route, the first one first; empty when only the path does. */
  readonly routeParameters: readonly string[];
  /** One of these is cut off the route; `['']` takes every route as it is. */
  readonly prefixes: readonly string[];
}

/** An API with one entry. */
export function mountAt(base: string, routeParameters: readonly string[] = []): Mount {
  return { base, linkBase: base, routeParameters, prefixes: [''] };
}

type AnonymousCaching =
  | { readonly kind: 'public'; readonly seconds: number }
  /** Any cache may keep it, and revalidates each time. */
  | { readonly kind: 'revalidate' }
  | { readonly kind: 'private' };

/** A new object exactly when something changed, which only new settings do: the mechanism compares identity. */
export interface ApiPolicy {
  readonly enabled: boolean;
  readonly mounts: readonly Mount[];
  /** Absent: as long as an address may be. */
  readonly maxPathBytes?: number;
  /** With 204, for every path of this API. */
  readonly answersOptions: boolean;
  readonly caching: AnonymousCaching;
  /** Above it the answer is 413; default a mebibyte. */
  readonly maxBodyBytes?: number;
  readonly json?: JsonLimits;
  readonly cors: CorsPolicy | null;
}

export interface Caller extends Pick<Call, 'header' | 'clientIp' | 'isSecure' | 'forwardedAddress'> {
  queryValues(name: string): readonly string[];
  readonly method: string;
}

export interface LimitQuestion {
  readonly caller: Caller;
  readonly identity: Identity;
  /** Undefined if the route is checked after the limit. */
  readonly endpoint: Endpoint | undefined;
  /** The identity is then anonymous, and the refusal follows unless the limit refuses first. */
  readonly refused: boolean;
}

export interface LimitVerdict {
  readonly headers: Readonly<Record<string, string>>;
  readonly error?: AppError;
}

export interface RouteQuestion {
  readonly caller: Caller;
  readonly identity: Identity;
  readonly endpoint: Endpoint;
  readonly params: Readonly<Record<string, string>>;
}

/** Null for a wrong credential. The endpoint is undefined if the address names no route. */
export type Identify = (caller: Caller, endpoint: Endpoint | undefined) => Identity | null | Promise<Identity | null>;

export type Limit = (question: LimitQuestion) => LimitVerdict | null | Promise<LimitVerdict | null>;

/** For the audit log; reported after the answer. */
export interface FinishedReport {
  readonly caller: Caller;
  readonly method: string;
  readonly requestId: string;
  readonly identity: Identity;
  readonly path: string;
  readonly status: number;
  readonly durationMs: number;
}

export interface ErrorInfo {
  readonly requestId: string;
  /** Empty when the request was not readable that far. */
  readonly path: string;
  readonly endpoint?: string | undefined;
  /** Of a refusal by the protocol parser, which has no code (408, 431). */
  readonly status?: number | undefined;
}

export type RenderError = (error: AppError, info: ErrorInfo) => Reply;

export interface ApiModule {
  readonly name: string;
  readonly endpoints: readonly Endpoint[];
  /** Between route and handler, in this order; made by `http/stages/checks.ts`. */
  readonly checks: readonly Middleware[];
  /** Counts anonymous reads that are answered from memory before any check. */
  readonly limit?: Limit;
  readonly headers?: Readonly<Record<string, string>>;
  readonly vary?: string;
  /** In lower case; part of the key of a cached answer. */
  readonly selectingHeaders?: readonly string[];
  /** Everything about a known caller that shapes its reads; null = answers are not kept. */
  readonly callerKey?: (identity: Identity) => string | null;
  /** For a parameter that no route can use, such as a repeated route parameter. */
  readonly parameterProblem: 'validation_failed' | 'bad_request';
  readonly policy: () => ApiPolicy;
  readonly renderError: RenderError;
  /** With paths from the root, for the reference of the server. */
  readonly document?: () => Readonly<Record<string, unknown>>;
  /** Must not throw. */
  readonly finished?: (report: FinishedReport) => void;
}

const description = 'Token of a preview: the resource or context that it was made for is shown as it is now';

export const previewParameters: readonly ParameterDoc[] = Object.freeze([
  { name: previewParameter, in: 'query', description, schema: { type: 'string' } },
  {
    name: 'X-Preview-Token',
    in: 'header',
    description: `${description}; wins over preview_token=`,
    schema: { type: 'string' },
  },
]);

/** Cross-origin rules. Every answer has the same headers, so that a script can read each of them. */
export interface CorsPolicy {
  readonly origins: 'every' | ReadonlySet<string>;
  readonly methods: string;
  readonly requestHeaders: string;
  readonly exposed: string;
  /** Never together with every origin. */
  readonly credentials: boolean;
}

/** Null when no origin is allowed. */
export function corsPolicy(
  origins: readonly string[],
  rest: Pick<CorsPolicy, 'methods' | 'requestHeaders' | 'exposed' | 'credentials'>,
): CorsPolicy | null {
  if (origins.length === 0) return null;
  const isEvery = origins.includes('*');
  return Object.freeze({
    ...rest,
    origins: isEvery ? 'every' : new Set(origins),
    credentials: rest.credentials && !isEvery,
  });
}
