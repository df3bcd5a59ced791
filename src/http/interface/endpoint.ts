/**
 * Endpoints are data: one row per route, in a table per API. Router, /meta/endpoints, the OpenAPI documents and the
 * access-matrix test are derived from these rows. Knows no API's vocabulary.
 */
import type { Access } from '../../access/access.js';
import type { Identity } from '../../access/identity.js';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface ParameterDoc {
  /** `utm_*` stands for every name that begins so. */
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly description: string;
  readonly required?: boolean;
  /** A comma list. `a=1,2`, `a=1&a=2`, `a[]=1&a[]=2` and `a[0]=1&a[1]=2` reach the handler as the first. */
  readonly list?: boolean;
  /**
   * Other accepted forms of a query name. `items`: those of a list without commas. `names`: any brackets, as in
   * `name[a][b]`, whose lists are `name[a][]`.
   */
  readonly brackets?: 'items' | 'names';
  readonly schema: Readonly<Record<string, unknown>>;
  readonly example?: string;
}

/** The body of a request as a handler sees it. `bytes` are exactly those that were sent. */
export type RequestBody =
  | { readonly kind: 'json'; readonly value: unknown; readonly bytes: Uint8Array }
  /** Pairs in order; a name may come more than once. */
  | {
      readonly kind: 'form';
      readonly pairs: readonly (readonly [name: string, value: string])[];
      readonly bytes: Uint8Array;
    };

/** The argument of a handler. It contains nothing of the HTTP server. */
export interface Call {
  readonly identity: Identity;
  /** Path parameters, decoded once. */
  readonly params: Readonly<Record<string, string>>;
  /**
   * Query pairs in order, decoded; names and values are valid UTF-8 without NUL. Only parameters that the endpoint
   * documents, and bracket forms of them, are here: an unknown one can shape no answer.
   */
  readonly query: readonly (readonly [string, string])[];
  /** Names of the query parameters that the endpoint does not know, sorted; they shape no answer. */
  readonly ignored: readonly string[];
  /** Request header by lower-case name; repeated headers are joined by ", ". */
  header(name: string): string | undefined;
  /** What was sent, for endpoints that declare a `request`; null without a body. */
  readonly body: RequestBody | null;
  readonly requestId: string;
  /** Client address after the trusted-proxy rule (docs/operations.md#behind-a-reverse-proxy). */
  readonly clientIp: string;
  /** The interface and its caller, for sharing out what is slow: the credential, else the network of the client. */
  readonly asker: { readonly api: string; readonly caller: string };
  /** The client reaches this server over TLS, as the connection or a trusted proxy says. */
  readonly isSecure: boolean;
  /** Scheme and host by which the client sees this server, as a trusted proxy says; null where none does. */
  readonly forwardedAddress: string | null;
  /** Where this server listens, such as `http://127.0.0.1:8080`. */
  readonly listeningAddress: string;
  /** Path of the request under its API's own base, without query, for `instance` and links. */
  readonly path: string;
  /** Path prefix under which this API is mounted for this request, for links: for example `/api/v1`. */
  readonly base: string;
  readonly method: Method | 'HEAD';
  /** The one of the route's `produces` that the Accept header prefers. */
  readonly mediaType: string;
  /** Aborts when the client went away or the request time ran out. */
  readonly signal: AbortSignal;
  /** Lets this request take so many milliseconds longer than others, for an answer that is delayed on purpose. */
  allowMore(ms: number): void;
}

/** The result of a handler; the respond stage turns it into status, headers and bytes. */
export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: ReplyBody;
  /**
   * How long an anonymous answer may be kept: 'content' = public with the API's TTL and ETag, 'never' = no-store,
   * 'static' = public for a fixed number of seconds.
   */
  readonly caching:
    | {
        readonly kind: 'content';
        readonly tags: readonly string[];
        /** Fewer tags that cover the same changes, for answers whose own would not fit into a header. */
        readonly coarseTags?: readonly string[];
        /** The rows on which the answer depends, read when it is kept; absent = any change may affect it. */
        readonly dependsOn?: () => readonly Dependency[];
      }
    | { readonly kind: 'never' }
    | { readonly kind: 'static'; readonly seconds: number };
}

type ReplyBody =
  | { readonly kind: 'json'; readonly value: unknown; readonly type?: string }
  | {
      readonly kind: 'bytes';
      readonly type: string;
      readonly bytes: Uint8Array | string;
      /** The strong entity tag of exactly these bytes, where they are kept with it. */
      readonly tag?: string;
    }
  /**
   * Made while it is sent, no faster than the client takes it; never kept, without length and entity tag. What is
   * thrown before the first piece is answered as an error, later it ends the connection. HEAD takes the first piece
   * alone.
   */
  | { readonly kind: 'stream'; readonly type: string; readonly open: () => AsyncIterable<string | Uint8Array> }
  | { readonly kind: 'empty' };

/** Access lives in src/access so that admit() can read it without knowing HTTP. */
export type { Access } from '../../access/access.js';

export interface Endpoint {
  /** Unique name within the API, for example `resources.list`. */
  readonly name: string;
  readonly method: Method;
  /** Path below the API's base, with `:name` segments and a trailing `*name` for the rest of the path. */
  readonly path: string;
  readonly access: Access;
  /** Registered object that the route is about, for documents; null for meta routes. */
  readonly object: string | null;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly parameters: readonly ParameterDoc[];
  /** The body that the route takes; without it none is read. */
  readonly request?: RequestDoc;
  /** JSON Schema of the success body, for OpenAPI. */
  readonly response: ResponseDoc;
  /** Answers even while the API is switched off (health, discovery). */
  readonly whenDisabled?: boolean;
  /** Throws AppError while a setting switches this route off; asked before its body is read. */
  readonly checkSwitch?: () => void;
  /**
   * False when the path names nothing (an unknown object): 404 before any credential is looked at
   * (docs/reference/http.md#order-of-checks).
   */
  readonly exists?: (params: Readonly<Record<string, string>>) => boolean;
  /** Media types that the route offers; default application/json. Empty: what it answers is for every Accept header. */
  readonly produces?: readonly string[];
  /** Each request is answered on its own, for every caller. */
  readonly isNeverKept?: true;
  /** A promise only where something has to be waited for. */
  readonly handler: (call: Call) => Reply | Promise<Reply>;
}

export const jsonType = 'application/json';
/** RFC 7396: what every PATCH with JSON does, where null empties a field. */
export const mergePatchType = 'application/merge-patch+json';
export const formType = 'application/x-www-form-urlencoded';

export interface RequestDoc {
  /** A PATCH that takes JSON also takes it as a merge patch. */
  readonly types: readonly string[];
  readonly required: boolean;
  /** Bytes above which the answer is 413, where that is less than the API allows. */
  readonly maxBytes?: number;
  /** Absent where the body is the fields of the object that the route is about. */
  readonly schema?: Readonly<Record<string, unknown>>;
}

interface ResponseDoc {
  readonly status: number;
  /** Status of the same answer to a request that changes what an earlier one made. */
  readonly repeatedStatus?: number;
  readonly description: string;
  readonly schema?: Readonly<Record<string, unknown>>;
  readonly type?: string;
}

/** Values of a row by column; an absent column may hold any value. */
export type RowValues = ReadonlyMap<string, string | number | null>;

export interface ChangedRow {
  /** Name of the set that the row belongs to: a table. */
  readonly set: string;
  /** Null: there was no such row. */
  readonly before: RowValues | null;
  /** Null: the row is gone. */
  readonly after: RowValues | null;
}

/** Rows on whose values an answer depends, whether they are there or not. */
export interface Dependency {
  readonly set: string;
  /** Dependencies with the same text are the same. */
  readonly text: string;
  /** Only a row with one of these values in the column can be meant; null = any row of the set. */
  readonly only: { readonly column: string; readonly values: readonly (string | number)[] } | null;
  /** False only when a row with these values is certainly not meant. */
  readonly includes: (row: RowValues) => boolean;
}

/** Changed rows, or everything where they are not known. */
export type ContentChange = readonly ChangedRow[] | 'everything';

/** JSON Schema of an object: members that it always has, and members that it may have. */
export function objectSchema<Member>(
  always: Readonly<Record<string, Member>>,
  optional: Readonly<Record<string, Member>> = {},
) {
  return { type: 'object', required: Object.keys(always), properties: { ...always, ...optional } } as const;
}

export function jsonReply(value: unknown, caching: Reply['caching']): Reply {
  return { status: 200, body: { kind: 'json', value }, caching };
}

export function textReply(type: string, text: string, caching: Reply['caching']): Reply {
  return { status: 200, body: { kind: 'bytes', type: `${type}; charset=utf-8`, bytes: text }, caching };
}

/** An HTML page and the policy for what it may load. */
export function htmlReply(
  html: string,
  { policy, caching }: { readonly policy: string; readonly caching: Reply['caching'] },
): Reply {
  return { ...textReply('text/html', html, caching), headers: { 'Content-Security-Policy': policy } };
}
