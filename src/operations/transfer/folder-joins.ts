/** Files that join two records: what they hold, and the member of the first record that they make. */
import { resourceGroupRules } from '../../content/models/access.js';
import type { JsonValue } from '../../content/objects/values.js';
import type { JsonObject } from '../../values/json.js';
import { shortClass } from './folder-classes.js';
import { type FolderEntry, type FolderReading, idIn, placeIn, textIn } from './folder-entry.js';
import type { FolderIndex } from './folder-index.js';
import type { RecordKind } from './kind.js';
import { recordKinds } from './kinds.js';
import { integer, link } from './members.js';
import { type NamedKind, tableOf } from './record-names.js';

interface JoinKind extends RecordKind {
  /** The first record, and its member that the rows make. */
  readonly of: NamedKind;
  readonly member: string;
}

export const joins: Readonly<Record<string, JoinKind>> = {
  template_tvs: {
    ...{ of: 'templates', member: 'tvs', table: 'site_tmplvar_templates' },
    members: {
      templateid: link('templates', 'templateid'),
      tmplvarid: link('tvs', 'tmplvarid'),
      rank: integer('rank'),
    },
    key: ['templateid', 'tmplvarid'],
    primary: ['tmplvarid', 'templateid'],
  },
  tv_sources: {
    ...{ of: 'tvs', member: 'media_sources', table: 'media_sources_elements' },
    members: {
      object: link('tvs', 'object'),
      source: link('media_sources', 'source'),
      context_key: link('contexts', 'context_key'),
    },
    key: ['object', 'source', 'context_key'],
    primary: ['source', 'object', 'object_class', 'context_key'],
    hidden: {
      columns: ['object_class'],
      isHidden: (row) => shortClass(String(row['object_class'])) !== 'modTemplateVar',
    },
  },
  page_groups: {
    ...{ of: 'resources', member: 'groups', table: 'document_groups' },
    members: {
      document: { ...link('resources', 'document', 0), default: undefined },
      document_group: link('resource_groups', 'document_group'),
    },
    key: ['document', 'document_group'],
    isOrderedByKey: true,
  },
};

export const folderKinds: Readonly<Record<string, RecordKind>> = { ...recordKinds, ...joins };
export const joinObjects: ReadonlySet<string> = new Set(Object.keys(joins));

/** The columns and kinds of both records: the first is the owner. */
function endsOf({ members, key: [one = '', other = ''] }: JoinKind) {
  return [members[one], members[other]].flatMap((member) =>
    member?.refersTo === undefined ? [] : [{ column: member.column, kind: member.refersTo }],
  );
}

/** Whether its records are found by something other than an id. */
export function isKeyed(object: string): boolean {
  return joinObjects.has(object) || folderKinds[object]?.primary !== undefined;
}

/** Add every file before asking for the first record. */
export class FolderJoins {
  readonly #reading: FolderReading;
  readonly #index: FolderIndex;
  /** By object, and what the record is called that they belong to. */
  readonly #byOwner = new Map<string, Map<string, JsonObject[]>>();
  /** The first file of a group, and how many pages of the folder are in it. */
  readonly #groups = new Map<string, { readonly entry: FolderEntry; pages: number }>();

  constructor(reading: FolderReading, index: FolderIndex) {
    this.#reading = reading;
    this.#index = index;
    for (const { object } of reading.config.partitions) {
      if (joinObjects.has(object)) this.#byOwner.set(object, new Map());
    }
  }

  has(object: string): boolean {
    return this.#byOwner.has(object);
  }

  /** A row whose records are not there is left out or refused. */
  async add(entry: FolderEntry, record: JsonObject): Promise<void> {
    const join = joins[entry.object];
    if (join === undefined || !(await this.#check(entry, join))) return;
    const [owner = '', other = ''] = join.key;
    if (join.key.some((name) => record[name] === undefined)) return;
    const byOwner = this.#byOwner.get(entry.object) ?? new Map<string, JsonObject[]>();
    const name = JSON.stringify(record[owner]);
    byOwner.set(name, [...(byOwner.get(name) ?? []), record]);
    const group = record[other];
    if (join.member !== 'groups' || typeof group !== 'string' || !this.#index.holds(entry.values[owner])) return;
    const known = this.#groups.get(group) ?? { entry, pages: 0 };
    this.#groups.set(group, known);
    known.pages += 1;
  }

  /** The CMS leaves rows of removed templates and variables behind; a page without its group would be open. */
  async #check(entry: FolderEntry, join: JoinKind): Promise<boolean> {
    for (const { column, kind } of endsOf(join)) {
      const given = entry.values[column];
      if (await this.#index.has(kind, given)) continue;
      const why = `there is no ${tableOf(kind).called} ${textIn(given) || '0'}`;
      if (join.member === 'groups' || idIn(given) === null)
        this.#reading.problems.add({ ...placeIn(entry, column), field: column, problem: why });
      return false;
    }
    return true;
  }

  /** Without an access rule everyone may read what is in a group, and folders have no rules. */
  async checkGroups(): Promise<void> {
    const { store, problems, hasOpenGroups } = this.#reading;
    if (hasOpenGroups === true || this.#groups.size === 0) return;
    const { primary } = store.content;
    const rules = await resourceGroupRules.on(primary, store.prefix).lookUpAll({}, { attributes: ['target'] });
    const ruled = new Set(rules.map(({ target }) => Number(target)));
    for (const [name, { entry, pages }] of this.#groups) {
      if (ruled.has(Number((await this.#index.find('resource_groups', name)) ?? 0))) continue;
      const problem = `the resource group "${name}" has no access rules here, so everyone could read its pages (${pages}): make its rules first, or import with --allow-open-groups`;
      problems.add({ ...placeIn(entry, 'document_group'), field: 'document_group', problem });
    }
  }

  /** The member of the record that `owner` names. */
  async of(object: string, owner: unknown): Promise<JsonValue> {
    const join = joins[object];
    const other = (join && endsOf(join)[1]) ?? { column: '', kind: 'resources' };
    const records = this.#byOwner.get(object)?.get(JSON.stringify(owner)) ?? [];
    if (object === 'tv_sources') {
      return Object.fromEntries(records.map((one) => [String(one['context_key']), one[other.column] as JsonValue]));
    }
    const found: { readonly name: string; readonly rank: number; readonly id: number }[] = [];
    for (const { rank = 0, [other.column]: name } of records) {
      if (typeof name !== 'string') continue;
      // In the order of the store, which a comparison sees. Files without an id get one in their order.
      const id = Number((await this.#index.find(other.kind, name)) ?? this.#index.ownId(other.kind, name) ?? 0);
      found.push({ name, rank: Number(rank), id: id > 0 ? id : 2 ** 40 - id });
    }
    const sorted = found.sort((one, next) => one.rank - next.rank || one.id - next.id);
    return [...new Set(sorted.map(({ name }) => name))];
  }
}
