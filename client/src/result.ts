/** What comes back, worked out from what was asked. */
import type { FieldsOf, RelationAt } from './query.js';
import type { NameOf, RecordOf, RelationTypes, SiteTypes, TargetOf } from './site.js';

/** One type instead of several that are put together: what an editor shows. */
type Flat<T> = { [K in keyof T]: T[K] } & {};

type Wanted<C> = C extends { readonly eq: infer V }
  ? V
  : C extends { readonly in: readonly (infer V)[] }
    ? V
    : C extends string | number | boolean
      ? C
      : unknown;

type Holds<R, W> = {
  [K in keyof W]: K extends keyof R ? ([R[K] & Wanted<W[K]>] extends [never] ? false : true) : true;
}[keyof W];

/** The kinds of records that a filter lets pass: `{ template: 9 }` leaves those of one template. */
type Kept<R, W> = R extends unknown ? (false extends Holds<R, W> ? never : R) : never;

type Head<P> = P extends `${infer First}.${string}` ? First : P;
type Tail<P, First extends string> = P extends `${First}.${infer Rest}` ? Rest : never;

/** The fields that were asked for; all of them without a list. */
type Base<R, F> = Pick<R, keyof R & F>;

type Tvs<R> = R extends { tvs: infer T } ? T : { [name: string]: unknown };

type Resource<S extends SiteTypes> = Flat<
  Base<RecordOf<S, 'resources'>, RelationAt<S, 'resources', 'parent'>['fields']>
>;

/** Template variables: all, the named ones, and those with a record instead of its id. */
type ChosenTvs<S extends SiteTypes, R, I, T> = Flat<{
  [K in keyof Tvs<R> as 'tvs' extends I ? K : K extends T | Tail<I, 'tvs'> ? K : never]: K extends Tail<I, 'tvs'>
    ? Resource<S> | Tvs<R>[K]
    : Tvs<R>[K];
}>;

type IsAsked<T> = [T] extends [never] ? false : true;

type WithTvs<S extends SiteTypes, R, I, T> =
  IsAsked<T | Extract<I, 'tvs' | `tvs.${string}`>> extends true ? { tvs: ChosenTvs<S, R, I, T> } : unknown;

type FieldsAt<O, P, Otherwise> = P extends keyof O ? (O[P] extends readonly (infer F)[] ? F : Otherwise) : Otherwise;

/** A record that came along, with what came along with it. */
type Related<S extends SiteTypes, R, Rest, P extends string, O> = R extends RelationTypes
  ? Flat<
      With<S, TargetOf<S, R>, Base<RecordOf<S, TargetOf<S, R>>, FieldsAt<O, P, R['fields']>>, Rest, `${P}.`, O> &
        ('tvs' extends Rest ? { tvs: Tvs<RecordOf<S, TargetOf<S, R>>> } : unknown)
    >
  : never;

type ListName<S extends SiteTypes, N extends NameOf<S>, I> =
  Exclude<Head<I>, 'tvs'> extends infer K
    ? K extends string
      ? RelationAt<S, N, K>['list'] extends true
        ? K
        : never
      : never
    : never;

/** Records with relations in them: a list, or one record. Where there is none to be seen, the field stays what it was. */
type With<S extends SiteTypes, N extends NameOf<S>, B, I, P extends string, O> = [Exclude<Head<I>, 'tvs'>] extends [
  never,
]
  ? B
  : Omit<B, Exclude<Head<I>, 'tvs'> & string> & {
      [K in ListName<S, N, I>]: Related<S, RelationAt<S, N, K>, Tail<I, K>, `${P}${K}`, O>[];
    } & {
      [K in Exclude<Head<I>, 'tvs' | ListName<S, N, I>> & keyof B & string]:
        | Related<S, RelationAt<S, N, K>, Tail<I, K>, `${P}${K}`, O>
        | B[K];
    } & {
      [K in Exclude<Head<I>, 'tvs' | ListName<S, N, I> | keyof B> & string]?: Related<
        S,
        RelationAt<S, N, K>,
        Tail<I, K>,
        `${P}${K}`,
        O
      >;
    };

/** Of weblinks and symlinks: the address of their target, null if the caller may not see it. */
type WithLink<N, L> = IsAsked<L> extends true ? (N extends 'resources' ? { link?: string | null } : unknown) : unknown;

type One<S extends SiteTypes, N extends NameOf<S>, R, F, I, T, O, L> = Flat<
  With<S, N, Base<R, F>, I, '', O> & WithTvs<S, R, I, T> & WithLink<N, L>
>;

type Each<S extends SiteTypes, N extends NameOf<S>, R, F, I, T, O, L> = R extends unknown
  ? One<S, N, R, F, I, T, O, L>
  : never;

/** A record of the answer: a union by template if template variables are included, else one type. */
export type Row<S extends SiteTypes, N extends NameOf<S>, F, I, T, W, O, L = never> =
  IsAsked<T | Extract<I, 'tvs' | `tvs.${string}`>> extends true
    ? Each<S, N, Kept<RecordOf<S, N>, W>, F, I, T, O, L>
    : One<S, N, Kept<RecordOf<S, N>, W>, F, I, T, O, L>;

export interface Meta {
  /** Names of variables whose value is not of their type. */
  readonly untyped?: unknown;
  readonly unresolved?: unknown;
  /** Keys of the records whose relation was cut, by relation, such as `{ children: [5], ancestors: [42] }`; true for a tree. */
  readonly truncated?: unknown;
  /** Parameters that the server does not know. */
  readonly ignored?: readonly string[];
  readonly [name: string]: unknown;
}

export interface ListMeta extends Meta {
  readonly total: number;
  /** More records may match than the server counts: `total` is the least that there are. */
  readonly total_at_least?: true;
  readonly count: number;
  readonly limit: number;
  readonly offset: number;
  readonly has_more: boolean;
  readonly next_cursor?: string;
  /** Of `ids`. */
  readonly missing?: readonly number[];
  /** Words of `search` that were not searched, because no record has all of them. */
  readonly left_out?: readonly string[];
}

export interface Found<T> {
  readonly data: T;
  readonly meta: Meta;
}

export interface Redirect {
  readonly from: string;
  readonly to: string;
  readonly status: number;
}

export interface List<T> {
  readonly data: T[];
  readonly meta: ListMeta;
  readonly links: { readonly self: string; readonly next?: string; readonly prev?: string };
}

export interface Named<T> {
  readonly data: T[];
  readonly meta: Meta & { readonly count: number; readonly context: string; readonly missing?: readonly string[] };
}

/** A resource of the menu, with those below it. */
export type TreeNode<R, F> = Flat<Base<R, F>> & {
  readonly children: TreeNode<R, F>[];
};

/** A section of a page, by its type. */
export type Section<S extends SiteTypes> = {
  [K in keyof S['sections']]: {
    readonly id: string;
    readonly type: K;
    readonly typeVersion: number;
    readonly enabled: boolean;
    readonly data: S['sections'][K];
    readonly settings: { readonly [name: string]: unknown };
  };
}[keyof S['sections']];

/** A page of the page delivery API. */
export interface PageDocument<S extends SiteTypes> {
  readonly resourceId: number;
  readonly publishedRevision: number;
  readonly publishedAt: string | null;
  readonly state?: 'draft';
  readonly draftRevision?: number;
  readonly resource: {
    readonly id: number;
    readonly pagetitle: string;
    readonly alias: string;
    readonly uri: string;
    readonly context: S['contexts'];
    readonly template: number;
  };
  readonly document: { readonly schemaVersion: number; readonly sections: Section<S>[] };
}

export type { FieldsOf };
