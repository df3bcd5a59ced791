/** What a client knows of a site: the form of the interface `Site` that `hcd types` makes. */

export interface ObjectTypes {
  record: object;
  key: string | number;
  filter: string;
  sort: string;
  /** Each a RelationTypes. */
  relations: object;
  required: string;
  immutable: string;
  can: string;
}

export interface RelationTypes {
  object: string;
  list: boolean;
  fields: string;
}

export interface SiteTypes {
  objects: { [name: string]: ObjectTypes; resources: ObjectTypes };
  /** Template variables that name resources. */
  references: string;
  sections: object;
  contexts: string;
  uri: string;
}

interface AnyObject {
  record: { [field: string]: unknown };
  key: string | number;
  filter: string;
  sort: string;
  relations: { [name: string]: { object: string; list: boolean; fields: string } };
  required: never;
  immutable: never;
  can: string;
}

/** A site of which nothing is known. */
export interface AnySite {
  objects: { [name: string]: AnyObject; resources: AnyObject };
  references: string;
  sections: { [type: string]: { [field: string]: unknown } };
  contexts: string;
  uri: string;
}

/** Names of objects. */
export type NameOf<S extends SiteTypes> = keyof S['objects'] & string;

/** Names of the objects of which the site allows the action. */
export type NameFor<S extends SiteTypes, Action extends string> = {
  [N in NameOf<S>]: Action extends S['objects'][N]['can'] ? N : never;
}[NameOf<S>];

export type RecordOf<S extends SiteTypes, N extends NameOf<S>> = S['objects'][N]['record'];

/** `tvs` is asked for with `include`, not as a field. */
export type FieldOf<S extends SiteTypes, N extends NameOf<S>> = N extends 'resources'
  ? Exclude<keyof RecordOf<S, N> & string, 'tvs'>
  : keyof RecordOf<S, N> & string;

type TvsOf<R> = R extends { tvs: infer T } ? T : never;
type KeyOfAny<T> = T extends unknown ? keyof T & string : never;

/** Names of template variables. */
export type TvName<S extends SiteTypes> = string extends keyof RecordOf<S, 'resources'>
  ? string
  : KeyOfAny<TvsOf<RecordOf<S, 'resources'>>>;

type ValueIn<T, K> = T extends unknown ? (K extends keyof T ? Exclude<T[K], null | undefined> : never) : never;

/** The value of a template variable, on resources that have one. */
export type TvValue<S extends SiteTypes, K> = ValueIn<TvsOf<RecordOf<S, 'resources'>>, K>;

export type RelationName<S extends SiteTypes, N extends NameOf<S>> = keyof S['objects'][N]['relations'] & string;

/** A relation of an object; never for what is none. */
export type Relation<S extends SiteTypes, N extends NameOf<S>, K> = K extends keyof S['objects'][N]['relations']
  ? S['objects'][N]['relations'][K] extends infer R extends RelationTypes
    ? R
    : never
  : never;

/** The object that a relation leads to. */
export type TargetOf<S extends SiteTypes, R extends RelationTypes> = R['object'] & NameOf<S>;
