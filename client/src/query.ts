/** What a client may ask for, by the types of the site. */
import type {
  FieldOf,
  NameOf,
  RecordOf,
  Relation,
  RelationName,
  SiteTypes,
  TargetOf,
  TvName,
  TvValue,
} from './site.js';

/** No members. */
export type Nothing = Record<never, never>;

type Less = { 2: 1; 1: 0 };

/** Relations, and relations of relations: `parent`, `parent.children`, `parent.tvs`. */
export type Path<S extends SiteTypes, N extends NameOf<S>, Depth extends 0 | 1 | 2 = 2> =
  | (N extends 'resources' ? 'tvs' : never)
  | {
      [K in RelationName<S, N>]:
        | K
        | (Depth extends keyof Less ? `${K}.${Path<S, TargetOf<S, Relation<S, N, K>>, Less[Depth]>}` : never);
    }[RelationName<S, N>];

/** What `include` takes. */
export type Include<S extends SiteTypes, N extends NameOf<S>> =
  | Path<S, N>
  | (N extends 'resources' ? `tvs.${S['references']}` : never);

/** The relation at the end of a path. */
export type RelationAt<S extends SiteTypes, N extends NameOf<S>, P> = P extends `${infer Head}.${infer Rest}`
  ? RelationAt<S, TargetOf<S, Relation<S, N, Head>>, Rest>
  : Relation<S, N, P>;

/** Narrows the fields of included records, by the path of the relation. */
export type FieldsOf<S extends SiteTypes, N extends NameOf<S>> = {
  readonly [P in Path<S, N>]?: readonly RelationAt<S, N, P>['fields'][];
};

/** A condition of one field; `null` means that it has no value. */
export type Condition<V> =
  | V
  | null
  | {
      readonly eq?: V;
      readonly neq?: V;
      readonly gt?: V;
      readonly gte?: V;
      readonly lt?: V;
      readonly lte?: V;
      /** A pattern with % and _, for texts. */
      readonly like?: string;
      readonly in?: readonly V[];
      readonly not_in?: readonly V[];
      readonly null?: true;
      readonly not_null?: true;
    };

type ValueOf<R, K> = K extends keyof R ? Exclude<R[K], null | undefined> : never;

/** Conditions, all of which must hold. */
export type Filter<S extends SiteTypes, N extends NameOf<S>> = {
  readonly [K in S['objects'][N]['filter']]?: Condition<ValueOf<RecordOf<S, N>, K>>;
} & (N extends 'resources' ? TvFilter<S> : unknown);

/** A condition on a list is one on its members. */
type TvFilter<S extends SiteTypes> = {
  readonly [K in TvName<S> as `tv.${K}`]?: Condition<MemberOf<TvValue<S, K>>>;
};

type MemberOf<V> = V extends readonly (infer M)[] ? M : V;

/** Members that the filter does not have cannot be given. */
export type Exactly<Given, Known> = Given & { readonly [K in Exclude<keyof Given, keyof Known>]: never };

/** What shapes a record. */
export interface Shape<F, I, T, O, L = 'resolve'> {
  readonly fields?: readonly F[];
  readonly include?: readonly I[];
  readonly fieldsOf?: O;
  /** Template variables by name; all of them: `include: ['tvs']`. */
  readonly tv_fields?: readonly T[];
  readonly links?: L;
  readonly tags?: 'resolve' | 'strip' | readonly ('resolve' | 'strip')[];
  readonly urls?: 'absolute' | 'site';
  /** Image variables as a `Picture`. */
  readonly images?: 'full';
}

/** Where to look. */
export interface Place<S extends SiteTypes> {
  readonly context?: S['contexts'];
  /** Shows unpublished resources to those who may see them. */
  readonly preview?: boolean;
  readonly include_deleted?: boolean;
}

/** Which records, in which order. */
export interface Choice<S extends SiteTypes, N extends NameOf<S>, W> extends Place<S> {
  readonly filter?: Exactly<W, Filter<S, N>>;
  readonly sort?: Sort<S, N> | readonly Sort<S, N>[];
  readonly q?: string;
  /** Several words in any order, the best matches first. */
  readonly search?: string;
  readonly limit?: number;
}

export type Sort<S extends SiteTypes, N extends NameOf<S>> = `${'' | '-'}${
  | S['objects'][N]['sort']
  | (N extends 'resources' ? `tv.${TvName<S>}` : never)}`;

export interface Part<S extends SiteTypes, N extends NameOf<S>> {
  readonly offset?: number;
  readonly page?: number;
  readonly cursor?: string;
  /** Records by id, in this order; without paging and sort. */
  readonly ids?: readonly S['objects'][N]['key'][];
}

/** What `tree` takes. */
export interface TreeQuery<S extends SiteTypes, F>
  extends Place<S>,
    Pick<Shape<F, never, never, never>, 'fields' | 'links' | 'tags' | 'urls'> {
  readonly root?: number;
  readonly depth?: number;
  /** Also what menus hide. */
  readonly hidden?: boolean;
}

/** Fields of a node that names none. */
export type TreeField = 'id' | 'pagetitle' | 'menutitle' | 'alias' | 'uri' | 'parent' | 'menuindex' | 'template';

type Fields<S extends SiteTypes, N extends NameOf<S>, Others> = {
  readonly [K in Exclude<FieldOf<S, N>, S['objects'][N]['immutable'] | Others>]?: RecordOf<S, N>[K &
    keyof RecordOf<S, N>];
};

/** A null restores the default of the variable. */
type WrittenTvs<T> = { readonly [K in keyof T]?: T[K] | null };

/** With a template only its variables; without one those of any. */
type WithTvs<R> = R extends { template: infer T; tvs: infer V }
  ? { readonly template: T; readonly tvs?: WrittenTvs<V> }
  : never;

type WithAnyTvs<S extends SiteTypes> =
  string extends TvName<S>
    ? { readonly template?: unknown; readonly tvs?: { readonly [name: string]: unknown } }
    : { readonly template?: never; readonly tvs?: { readonly [K in TvName<S>]?: TvValue<S, K> | null } };

/** What a new record and a change of one may hold. */
export type Changes<S extends SiteTypes, N extends NameOf<S>> = N extends 'resources'
  ? Fields<S, N, 'template'> & (WithTvs<RecordOf<S, N>> | WithAnyTvs<S>)
  : Fields<S, N, never>;

export type NewRecord<S extends SiteTypes, N extends NameOf<S>> = Changes<S, N> & {
  readonly [K in S['objects'][N]['required'] & keyof RecordOf<S, N>]: RecordOf<S, N>[K];
};
