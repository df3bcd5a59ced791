/** Endpoints are data: one row per route. Router, documents and the access-matrix test are derived from them. */
import type { Access } from '../../access/admit.js';
import type { Identity } from '../../access/identity.js';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface ParameterDoc {
  /** `utm_*` means every name with that prefix. */
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly description: string;
  readonly required?: boolean;
  /** `a=1,2`, `a=1&a=2`, `a[]=1&a[]=2` and `a[0]=1&a[1]=2` reach the handler as the first. */
  readonly list?: boolean;
  /** `items`: a list without commas. `names`: any brackets, as in `name[a][b]`, whose lists are `name[a][]`. */
  readonly brackets?: 'items' | 'names';
  readonly schema: Readonly<Record<string, unknown>>;
  readonly example?: string;
}

/** `bytes` are as sent. */
export type RequestBody =
  | { readonly kind: 'json'; readonly value: unknown; readonly bytes: Uint8Array }
  | {
      readonly kind: 'form';
      readonly pairs: readonly (readonly [name: string, value: string])[];
      readonly bytes: Uint8Array;
    }
  | {
      readonly kind: 'upload';
      readonly fields: readonly (readonly [name: string, value: string])[];
      readonly file: UploadedFile | null;
    };

interface UploadedFile {
  readonly field: string;
  /** On disk; removed after the answer, unless it was moved. */
  readonly place: string;
  readonly name: string;
  readonly size: number;
}

/** The argument of a handler, without anything of the HTTP server. */
export interface Call {
  readonly identity: Identity;
  readonly params: Readonly<Record<string, string>>;
  /** In order, decoded, without NUL. Only documented parameters: an unknown one can shape no answer. */
  readonly query: readonly (readonly [string, string])[];
  readonly ignored: readonly string[];
  /** By lower-case name; repeated headers are joined by ", ". */
  header(name: string): string | undefined;
  /** For endpoints that declare a `request`; null without a body. */
  readonly body: RequestBody | null;
  readonly requestId: string;
  /** After the trusted-proxy rule (docs/operations.md#behind-a-reverse-proxy). */
  readonly clientIp: string;
  /** For sharing out what is slow: the credential, else the network of the client. */
  readonly asker: { readonly group: string; readonly caller: string };
  /** As the connection or a trusted proxy says. */
  readonly isSecure: boolean;
  readonly forwardedAddress: string | null;
  readonly listeningAddress: string;
  /** Under the API's own base, without query, for `instance` and links. */
  readonly path: string;
  /** For links: for example `/api/v1`. */
  readonly base: string;
  readonly method: Method | 'HEAD';
  /** The one of `produces` that the Accept header prefers. */
  readonly mediaType: string;
  /** Aborts when the client went away or the request time ran out. */
  readonly signal: AbortSignal;
  /** For an answer that is delayed on purpose. */
  extendDeadline(ms: number): void;
}

export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: ReplyBody;
  /** 'content' = public with the API's TTL and ETag, 'never' = no-store, 'static' = public for a fixed time. */
  readonly caching:
    | {
        readonly kind: 'content';
        readonly tags: readonly string[];
        /** Cover the same changes, for answers with too many tags of their own for a header. */
        readonly coarseTags?: readonly string[];
        readonly dependsOn?: () => readonly Dependency[];
      }
    | { readonly kind: 'never' }
    | { readonly kind: 'static'; readonly seconds: number }
    | {
        readonly kind: 'file';
        /** The address names this version of the file. */
        readonly isImmutable: boolean;
        readonly tags: readonly string[];
        readonly varies?: 'Accept';
      };
}

type ReplyBody =
  | { readonly kind: 'json'; readonly value: unknown; readonly type?: string }
  | {
      readonly kind: 'bytes';
      readonly type: string;
      readonly bytes: Uint8Array | string;
      /** The strong entity tag of exactly these bytes. */
      readonly tag?: string;
    }
  /** Never kept. A failure before the first piece becomes an error answer. HEAD takes that piece alone. */
  | {
      readonly kind: 'stream';
      readonly type: string;
      readonly open: () => AsyncIterable<string | Uint8Array>;
      /** Of a body that is known before it is sent: HEAD and 304 open nothing. */
      readonly known?: { readonly length: number; readonly tag: string };
    }
  | { readonly kind: 'empty' };

/** Access lives in src/access so that admit() can read it without knowing HTTP. */
export type { Access } from '../../access/admit.js';

export interface Endpoint {
  /** Unique within the API, for example `resources.list`. */
  readonly name: string;
  readonly method: Method;
  /** Below the API's base, with `:name` segments and a trailing `*name` for the rest. */
  readonly path: string;
  readonly access: Access;
  readonly object?: string | null;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly parameters: readonly ParameterDoc[];
  readonly request?: RequestDoc;
  readonly response: ResponseDoc;
  /** Answers even while the API is turned off (health, discovery). */
  readonly whenDisabled?: boolean;
  /** Throws AppError while a setting turns the route off; runs before the body is read. */
  readonly checkSwitch?: () => void;
  /** False: 404 before any credential is read (docs/reference/http.md#order-of-checks). */
  readonly exists?: (params: Readonly<Record<string, string>>) => boolean;
  /** Default application/json. Empty: answers every Accept header. */
  readonly produces?: readonly string[];
  readonly isNeverKept?: true;
  /** Statuses of redirects that it may answer with. */
  readonly redirects?: readonly number[];
  /** What else shapes the answer, as part of the key of a kept one; null: it is not kept. */
  readonly selects?: (call: Pick<Call, 'header' | 'query'>) => string | null;
  /** A promise only if it has to wait. */
  readonly handler: (call: Call) => Reply | Promise<Reply>;
}

export const jsonType = 'application/json';
/** RFC 7396: what every PATCH with JSON does, where null empties a field. */
export const mergePatchType = 'application/merge-patch+json';
export const formType = 'application/x-www-form-urlencoded';
export const uploadType = 'multipart/form-data';

export interface RequestDoc {
  /** A PATCH that takes JSON also takes it as a merge patch. */
  readonly types: readonly string[];
  readonly required: boolean;
  /** 413 above it, if less than the API allows. */
  readonly maxBytes?: number;
  /** For a form with a file: where the file goes meanwhile, and its largest size. */
  readonly upload?: { readonly place: () => Promise<string>; readonly maxBytes: () => number };
  /** Absent: the fields of the route's object. */
  readonly schema?: Readonly<Record<string, unknown>>;
}

interface ResponseDoc {
  readonly status: number;
  /** For a request that changes what an earlier one made. */
  readonly repeatedStatus?: number;
  readonly description: string;
  readonly schema?: Readonly<Record<string, unknown>>;
  readonly type?: string;
}

/** By column; an absent column may hold any value. */
export type RowValues = ReadonlyMap<string, string | number | null>;

export interface ChangedRow {
  readonly set: string;
  readonly before: RowValues | null;
  readonly after: RowValues | null;
}

/** Rows on whose values an answer depends, existing or not. */
export interface Dependency {
  readonly set: string;
  readonly text: string;
  /** Only a row with one of these values can be meant; null = any row of the set. */
  readonly only: { readonly column: string; readonly values: readonly (string | number)[] } | null;
  /** False only when a row with these values is certainly not meant. */
  readonly includes: (row: RowValues) => boolean;
}

export type ContentChange = readonly ChangedRow[] | 'everything';

export const text = { type: 'string' } as const;

export function objectSchema<Member>(
  always: Readonly<Record<string, Member>>,
  optional: Readonly<Record<string, Member>> = {},
) {
  return { type: 'object', required: Object.keys(always), properties: { ...always, ...optional } } as const;
}

/** Of an answer on its way to the client. */
export type Piece = string | Uint8Array;

export interface Pieces {
  next(): Promise<IteratorResult<Piece>>;
  /** Never throws. */
  close(): void;
}

export interface Representation {
  readonly status: number;
  readonly type: string | null;
  /** Text leaves in one write with its headers, which a Buffer would not. */
  readonly body: string | Buffer;
  /** On the wire; null if the body is made while it is sent. */
  readonly length: number | null;
  /** Strong, over the bytes; null if conditional requests make no sense. */
  readonly etag: string | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly caching: Reply['caching'];
  readonly isCompressible?: boolean;
  /** Of a body that is made while it is sent; reads nothing before its first piece is asked for. */
  readonly open?: () => AsyncIterable<Piece>;
}

export interface Answer {
  readonly representation: Representation;
  readonly age: number;
  readonly pieces?: Pieces;
  /** Most of the head is kept in memory too. */
  readonly isReady?: boolean;
}
