/**
 * The description of an API for the shared HTTP mechanism: its mounts, its endpoint table, the order of its checks
 * and its own functions. The mechanism knows nothing else about an API.
 */
import type { Middleware } from 'koa';
import type { Identity } from '../../access/identity.js';
import { AppError } from '../../errors/app-error.js';
import type { JsonLimits } from '../../values/json-reader.js';
import type { CorsPolicy } from './cors.js';
import type { Call, Endpoint, ParameterDoc, Reply } from './endpoint.js';

export interface Mount {
  readonly base: string;
  /** Base path for links and `instance`: the same for every entry of the API. */
  readonly linkBase: string;
  /** Names of the query parameters that may carry the route, first one first; empty when only the path does. */
  readonly routeParameters: readonly string[];
  /** The route must begin with one of these, which is then cut off; `['']` takes every route as it is. */
  readonly prefixes: readonly string[];
}

/** How answers of kind 'content' to anonymous callers may be kept. */
type AnonymousCaching =
  /** By any cache, this server included, for so many seconds. */
  | { readonly kind: 'public'; readonly seconds: number }
  /** By any cache, which asks again each time. */
  | { readonly kind: 'revalidate' }
  | { readonly kind: 'private' };

/**
 * The values that depend on live settings. A new object exactly when something changed: the mechanism compares
 * identity.
 */
export interface ApiPolicy {
  readonly enabled: boolean;
  readonly mounts: readonly Mount[];
  /** Bytes of the path above which the answer is 414. */
  readonly maxPathBytes: number;
  /** OPTIONS is answered 204 for every path of this API. */
  readonly answersOptions: boolean;
  readonly caching: AnonymousCaching;
  /** Bytes of a request body above which the answer is 413; a mebibyte when absent. */
  readonly maxBodyBytes?: number;
  /** Bounds of JSON in request bodies; those of the reader when absent. */
  readonly json?: JsonLimits;
  /** Which web pages of other origins may use the API; null = none. */
  readonly cors: CorsPolicy | null;
}

/** The request as the steps before the handler see it. */
export interface Caller extends Pick<Call, 'header' | 'clientIp' | 'isSecure' | 'forwardedAddress'> {
  /** All values of a query parameter, documented or not. */
  queryValues(name: string): readonly string[];
  readonly method: string;
}

export interface LimitQuestion {
  readonly caller: Caller;
  readonly identity: Identity;
  /** The row that the request is for; undefined where the route is checked after the limit and names nothing. */
  readonly endpoint: Endpoint | undefined;
  /** The credential was refused: the identity is anonymous, and the refusal follows unless the limit comes first. */
  readonly refused: boolean;
}

export interface LimitVerdict {
  /** Sent with every answer. */
  readonly headers: Readonly<Record<string, string>>;
  /** Set when the request is over the limit. */
  readonly error?: AppError;
}

export interface RouteQuestion {
  readonly caller: Caller;
  readonly identity: Identity;
  readonly endpoint: Endpoint;
  readonly params: Readonly<Record<string, string>>;
}

/**
 * Gives the identity of the caller. Throws AppError when a credential is wrong, or missing where one is needed. The
 * endpoint is undefined where the address names no route.
 */
export type Identify = (caller: Caller, endpoint: Endpoint | undefined) => Identity | Promise<Identity>;

/** Counts a request; null where it is not counted. */
export type Limit = (question: LimitQuestion) => LimitVerdict | null | Promise<LimitVerdict | null>;

/** How a request ended, for the audit log. It is reported after the answer and cannot change it. */
export interface FinishedReport {
  readonly caller: Caller;
  readonly method: string;
  readonly requestId: string;
  readonly identity: Identity;
  /** Without query. */
  readonly path: string;
  readonly status: number;
  readonly durationMs: number;
}

/** The request as an error body may describe it. */
export interface ErrorInfo {
  readonly requestId: string;
  /** Path for `instance`; empty when the request was not readable that far. */
  readonly path: string;
  /** Name of the endpoint that was asked; absent when the request did not get that far. */
  readonly endpoint?: string;
  /** Status of a refusal by the protocol parser, which has no code (408, 431). */
  readonly status?: number;
}

export type RenderError = (error: AppError, info: ErrorInfo) => Reply;

export interface ApiModule {
  readonly name: string;
  readonly endpoints: readonly Endpoint[];
  /** The checks between finding the route and calling its handler, in this order; made by `http/stages/checks.ts`. */
  readonly checks: readonly Middleware[];
  /** Counts anonymous reads that are answered from memory before any check; without it none are. */
  readonly limit?: Limit;
  /** Headers of every answer of this API, in addition to those that every API sends. */
  readonly headers: Readonly<Record<string, string>>;
  /** Value of Vary on successful reads; empty for none. */
  readonly vary: string;
  /** Request headers, in lower case, that select among answers and so belong into the key of a cached one. */
  readonly selectingHeaders: readonly string[];
  /**
   * Everything about a known caller on which the answers to its reads depend; null for one whose answers are not kept.
   * Without it only answers to anonymous callers are.
   */
  readonly callerKey?: (identity: Identity) => string | null;
  /** Code for a parameter that cannot be used in any route, such as a route parameter that is given twice. */
  readonly parameterProblem: 'validation_failed' | 'bad_request';
  readonly policy: () => ApiPolicy;
  readonly renderError: RenderError;
  /** The OpenAPI document with paths from the root, for the reference of the server. */
  readonly document?: () => Readonly<Record<string, unknown>>;
  /** Called with every answer of this API, refusals included. Must not throw. */
  readonly finished?: (report: FinishedReport) => void;
}

/** A function that gives `make(read())` and repeats `make` only after `read` returned another object. */
export function derived<S, T>(read: () => S, make: (snapshot: S) => T): () => T {
  let last: { readonly snapshot: S; readonly value: T } | undefined;
  return () => {
    const snapshot = read();
    if (last === undefined || last.snapshot !== snapshot) last = { snapshot, value: make(snapshot) };
    return last.value;
  };
}

/** Carries the token of a preview (docs/previews.md); a parameter does so in links. In lower case. */
export const previewHeader = 'x-preview-token';
export const previewParameter = 'preview_token';

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

/** Longer than any token: refused without a look-up. */
const longest = 256;

/** The token of a request; null without one. Throws invalid_token for a text that cannot be one. */
export function readPreviewToken(caller: Pick<Caller, 'header' | 'queryValues'>): string | null {
  const header = caller.header(previewHeader);
  const given = header === undefined ? caller.queryValues(previewParameter) : [header.trim()];
  const [token] = given;
  if (token === undefined) return null;
  if (given.length > 1 || token === '' || token.length > longest) throw new AppError('invalid_token');
  return token;
}
