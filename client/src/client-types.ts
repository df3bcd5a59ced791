/** The functions of a client. */
import type { Change } from './changes.js';
import type {
  Changes,
  Choice,
  FieldsOf,
  Filter,
  Include,
  NewRecord,
  Nothing,
  Part,
  Place,
  Shape,
  TreeField,
  TreeQuery,
} from './query.js';
import type { Found, List, Named, PageDocument, Redirect, Row, TreeNode } from './result.js';
import type { Answer, RequestOptions, SendOptions } from './send.js';
import type { FieldOf, NameFor, NameOf, RecordOf, SiteTypes, TvName } from './site.js';

export interface ClientOptions extends SendOptions {
  /** The server, or its gateway where that is not at `/api/v1`. */
  readonly url: string | URL;
  /** An API key or an access token; absent or empty = what everybody sees. */
  readonly key?: string | undefined;
  /** The token of a preview: answers show drafts, and none is kept. */
  readonly draft?: string | undefined;
  /** For `document`: a token of pages, and the page delivery API where it is not at `/pages/api/v1.php`. */
  readonly pages?: { readonly url?: string; readonly token?: string | undefined };
}

/** Any path, as a visitor may ask for it; an editor offers those of the site. */
type Address<S extends SiteTypes> = S['uri'] | (string & Nothing);

export interface Client<S extends SiteTypes> {
  /** One page of records with `meta` and `links`. */
  list<
    N extends NameFor<S, 'read'>,
    F extends FieldOf<S, N> = FieldOf<S, N>,
    I extends Include<S, N> = never,
    T extends TvName<S> = never,
    const W extends Filter<S, N> = Nothing,
    const O extends FieldsOf<S, N> = Nothing,
    L extends 'resolve' = never,
  >(
    name: N,
    query?: Shape<F, I, T, O, L> & Choice<S, N, W> & Part<S, N>,
    options?: RequestOptions,
  ): Promise<List<Row<S, N, F, I, T, W, O, L>>>;

  /** Every record, by cursor: asks for the next page when it is needed. */
  all<
    N extends NameFor<S, 'read'>,
    F extends FieldOf<S, N> = FieldOf<S, N>,
    I extends Include<S, N> = never,
    T extends TvName<S> = never,
    const W extends Filter<S, N> = Nothing,
    const O extends FieldsOf<S, N> = Nothing,
    L extends 'resolve' = never,
  >(
    name: N,
    query?: Shape<F, I, T, O, L> & Choice<S, N, W>,
    options?: RequestOptions,
  ): AsyncGenerator<Row<S, N, F, I, T, W, O, L>, void, undefined>;

  get<
    N extends NameFor<S, 'read'>,
    F extends FieldOf<S, N> = FieldOf<S, N>,
    I extends Include<S, N> = never,
    T extends TvName<S> = never,
    const O extends FieldsOf<S, N> = Nothing,
    L extends 'resolve' = never,
  >(
    name: N,
    key: S['objects'][N]['key'],
    query?: Shape<F, I, T, O, L> & Place<S>,
    options?: RequestOptions,
  ): Promise<Found<Row<S, N, F, I, T, Nothing, O, L>>>;

  /** The resource that the path of a visitor means; `''` is the home page. */
  page<
    F extends FieldOf<S, 'resources'> = FieldOf<S, 'resources'>,
    I extends Include<S, 'resources'> = never,
    T extends TvName<S> = never,
    const O extends FieldsOf<S, 'resources'> = Nothing,
    L extends 'resolve' = never,
  >(
    uri: Address<S>,
    query?: Shape<F, I, T, O, L> & Place<S>,
    options?: RequestOptions,
  ): Promise<Found<Row<S, 'resources', F, I, T, Nothing, O, L>>>;

  /** Old addresses of moved pages, and where they lead: a URI, or a whole address. */
  redirects(query?: Place<S>, options?: RequestOptions): AsyncGenerator<Redirect, void, undefined>;

  /** Several pages in the order asked, 100 at most; `meta.missing` names those that are not there. */
  pages<
    F extends FieldOf<S, 'resources'> = FieldOf<S, 'resources'>,
    I extends Include<S, 'resources'> = never,
    T extends TvName<S> = never,
    const O extends FieldsOf<S, 'resources'> = Nothing,
    L extends 'resolve' = never,
  >(
    uris: readonly Address<S>[],
    query?: Shape<F, I, T, O, L> & Place<S>,
    options?: RequestOptions,
  ): Promise<Named<Row<S, 'resources', F, I, T, Nothing, O, L>>>;

  /** The resources of a menu, nested. */
  tree<F extends FieldOf<S, 'resources'> = TreeField & FieldOf<S, 'resources'>>(
    query?: TreeQuery<S, F>,
    options?: RequestOptions,
  ): Promise<Found<TreeNode<RecordOf<S, 'resources'>, F>[]>>;

  /** Sent with an Idempotency-Key: a repetition makes no second record. */
  create<N extends NameFor<S, 'create'>>(
    name: N,
    record: NewRecord<S, N>,
    options?: RequestOptions,
  ): Promise<Row<S, N, FieldOf<S, N>, never, never, Nothing, Nothing>>;

  /** Changes the fields that are named; with `ifMatch` only a record that still has that ETag. */
  update<N extends NameFor<S, 'update'>>(
    name: N,
    key: S['objects'][N]['key'],
    changes: Changes<S, N>,
    options?: RequestOptions & { readonly ifMatch?: string },
  ): Promise<Row<S, N, FieldOf<S, N>, never, never, Nothing, Nothing>>;

  remove<N extends NameFor<S, 'delete'>>(name: N, key: S['objects'][N]['key'], options?: RequestOptions): Promise<void>;

  /**
   * What became stale, as it happens, for `for await`. Lost connections are made again, and continue after the last id;
   * an aborted `signal` ends the loop. `after` is the id of the last change that is known.
   */
  changes(
    query?: Readonly<Record<string, string>>,
    options?: RequestOptions & { readonly after?: string | undefined },
  ): AsyncGenerator<Change, void, undefined>;

  /** A published page of the page delivery API, by its id or alias, with its sections. */
  document(
    id: number | string,
    query?: {
      readonly context?: S['contexts'];
      readonly section_types?: readonly (keyof S['sections'] & string)[];
      readonly state?: 'published' | 'draft';
    },
    options?: RequestOptions,
  ): Promise<PageDocument<S>>;

  /** The same client with the token of a preview. */
  draft(token: string): Client<S>;

  /** Any request below the gateway, with status and headers. */
  request(
    method: string,
    path: string,
    asked?: RequestOptions & { readonly query?: object; readonly body?: unknown },
  ): Promise<Answer>;
}

export type { NameOf };
