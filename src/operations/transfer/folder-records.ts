/** Makes records of what files hold: ids become names, flags and times get their form, members left out their defaults. */
import { nearMatch } from '../../config/near-match.js';
import type { JsonValue } from '../../content/objects/values.js';
import type { RawValue } from '../../store/base/database.js';
import { recordSetting } from './element-kinds.js';
import { classOf, isSecretSetting, oldMembers } from './folder-classes.js';
import { configFile, type Partition } from './folder-config.js';
import { dates, type FolderEntry, type FolderReading, idIn, placeIn, rawValue, textIn } from './folder-entry.js';
import { type FileMap, type FileValue, isFileMap } from './folder-file.js';
import type { FolderIndex } from './folder-index.js';
import { FolderJoins, folderKinds, joinObjects, joins } from './folder-joins.js';
import { type RecordKind, recordName } from './kind.js';
import { recordKinds } from './kinds.js';
import type { Member, RawValues } from './members.js';
import { isNamedKind, readName } from './record-names.js';
import { spelled } from './table-rows.js';
import type { TransferRecord } from './transfer-record.js';

type Row = Record<string, RawValue>;

export class FolderRecords {
  readonly joins: FolderJoins;
  readonly #reading: FolderReading;
  readonly #index: FolderIndex;
  readonly #partitions: ReadonlyMap<string, Partition>;
  readonly #files = new Map<string, string>();

  constructor(reading: FolderReading, index: FolderIndex) {
    this.#reading = reading;
    this.#index = index;
    this.#partitions = new Map(reading.config.partitions.map((one) => [one.name, one]));
    this.joins = new FolderJoins(reading, index);
  }

  /** Contexts of resources and categories of elements without a file. */
  async *implied(): AsyncGenerator<TransferRecord> {
    const contexts = new Set([...this.#index.pages.values()].map(({ context_key: key }) => key));
    for (const key of contexts) {
      if ((await this.#index.nameOf('contexts', key)) !== undefined) continue;
      this.#index.addName('contexts', key, key);
      yield impliedRecord('contexts', { key, name: key });
    }
    for (const category of this.#index.namedCategories) {
      const isId = idIn(category) !== null && (await this.#index.nameOf('categories', Number(category))) !== undefined;
      if (!isId && (await this.#index.pathsNamed(category)).length === 0)
        yield impliedRecord('categories', { category });
    }
  }

  async recordOf(entry: FolderEntry): Promise<TransferRecord | null> {
    const kind = recordKinds[entry.object];
    const partition = this.#partitions.get(entry.partition);
    if (kind === undefined || partition === undefined || (await this.#isOfNoContext(entry))) return null;
    if (!this.#checkMembers(entry, kind)) return null;
    const record = await this.members(entry);
    const { parts, usual } = await this.#partsOf(entry, partition);
    Object.assign(record, parts);
    const { id, object, file } = entry;
    const called = `${object} ${recordName(kind, record)}`;
    const earlier = this.#files.get(called);
    if (earlier === undefined) this.#files.set(called, file);
    else this.#refuse(entry, '', `${earlier} has ${called} too: keep one of the files`);
    const highest = this.#index.highest.get(object) ?? 0;
    return {
      ...{ object, record, usual, line: 1, at: `${file} line 1`, file, objectColumn: 1 },
      places: placesByMember(entry, kind),
      ...(kind.primary === undefined ? { id: { wanted: id > 0 ? id : null, highest } } : {}),
    };
  }

  async members(entry: FolderEntry): Promise<Record<string, JsonValue>> {
    const { members = {} } = folderKinds[entry.object] ?? {};
    const excluded = this.#partitions.get(entry.partition)?.excluded;
    const record: Record<string, JsonValue> = {};
    const row = this.#rowOf(entry);
    this.#index.takeLost();
    for (const [name, member] of Object.entries(members)) {
      if (member.isLocal === true || excluded?.has(member.column) === true) continue;
      const value = await this.#valueOf(entry, { name, member, row });
      if (value !== undefined) record[name] = value;
      if (this.#noteLost(entry, name) && joinObjects.has(entry.object)) break;
    }
    const nth = isNamedKind(entry.object) ? await this.#index.nthOf(entry.object, entry.id) : 1;
    return nth > 1 ? { ...record, nth } : record;
  }

  /** Folders have settings of contexts that have no file, mostly of the manager. */
  async #isOfNoContext({ object, values }: FolderEntry): Promise<boolean> {
    if (object !== 'context_settings') return false;
    const isKnown = (await this.#index.nameOf('contexts', textIn(values['context_key']))) !== undefined;
    const isKept = isKnown && !isSecretSetting(textIn(values['key']));
    if (!isKept) this.#reading.found.ignore('modContextSetting');
    return !isKept;
  }

  #refuse(entry: FolderEntry, column: string, problem: string): void {
    const field = column === '' ? {} : { field: column };
    this.#reading.problems.add({ ...placeIn(entry, column), object: entry.object, ...field, problem });
  }

  #noteLost({ object, id, file }: FolderEntry, name: string): boolean {
    const lost = this.#index.takeLost();
    const { of = object, member = name } = joins[object] ?? {};
    for (const why of lost) this.#reading.found.losses.add({ object: of, key: id > 0 ? id : file, member, why });
    return lost.length > 0;
  }

  /** Members of extras are counted; others must be known. */
  #checkMembers(entry: FolderEntry, kind: RecordKind): boolean {
    const { object, values } = entry;
    const known = new Set(Object.values(kind.members).map(({ column }) => column));
    const className = textIn(values['class_key']);
    const [key = ''] = kind.key.filter((name) => name !== 'context' && name !== 'context_key');
    const identity = object === 'resources' ? ['pagetitle', 'alias', 'uri'] : [kind.members[key]?.column ?? key];
    const isNamed = entry.id > 0 || identity.some((column) => textIn(values[column]) !== '');
    if (!isNamed) {
      this.#refuse(entry, identity[0] ?? '', `is required${object === 'resources' ? ', or an alias or uri' : ''}`);
    }
    const { more = [] } = this.#partitions.get(entry.partition) ?? {};
    const written = new Set(['id', ...known, ...more, ...oldMembers, ...(object === 'resources' ? ['tvs'] : [])]);
    const unknown = Object.keys(values).filter((name) => !written.has(name));
    // Gitify leaves the class out where it is the default of an extra, such as products. A few members are mistakes.
    const isDefault = className === '' && entry.id > 0 && unknown.length > 3;
    const isOfExtra = object === 'resources' && (isDefault || (className !== '' && classOf(className).object === ''));
    const list = `known are ${[...known].join(', ')}; exclude_keys in .gitify names members to leave out`;
    for (const name of unknown) {
      const near = nearMatch(name, [...known, 'tvs']);
      if (isOfExtra) this.#reading.found.ignore(`${className || 'modResource'}.${name}`);
      else this.#refuse(entry, name, `is unknown; ${near === undefined ? list : `did you mean ${near}?`}`);
    }
    return isNamed && (isOfExtra || unknown.length === 0);
  }

  /** As the table would hold the file; texts of references are not in it. */
  #rowOf(entry: FolderEntry): Row {
    const { object, values } = entry;
    const { store } = this.#reading;
    const { table = '', members = {} } = folderKinds[object] ?? {};
    const columns = store.tables.get(`${store.prefix}${table}`)?.columns;
    const row: Row = {};
    const { defaults } = this.#partitions.get(entry.partition) ?? {};
    for (const { column, default: byDefault = defaults?.[column] ?? '' } of Object.values(members)) {
      const value = values[column];
      const usual = typeof byDefault === 'string' || typeof byDefault === 'number' ? byDefault : null;
      row[column] = value === undefined ? usual : rawValue(value, columns?.get(column));
    }
    if (object === 'settings' && row['value'] === null) row['value'] = '';
    return spelled(store, row);
  }

  async #valueOf(
    entry: FolderEntry,
    { name, member, row }: { readonly name: string; readonly member: Member; readonly row: RawValues },
  ): Promise<JsonValue | undefined> {
    const { column } = member;
    const { object, id } = entry;
    const given = entry.values[column];
    if (typeof given === 'object' && given !== null) return given as JsonValue;
    if (given === undefined && dates.has(column)) return undefined;
    // A page of the CMS without an address has NULL.
    if (name === 'uri') return this.#index.uriOf(id) || (given === null ? null : '');
    if (name === 'name' && (object === 'content_types' || object === 'media_sources')) {
      const known = (await this.#index.nameOf(object, id)) ?? '';
      return readName(object, known).name;
    }
    if (column === 'parent' && object === 'categories') return this.#parentPath(entry);
    const named = typeof given === 'boolean' ? undefined : await this.#nameInsteadOfId(entry, member, given);
    if (named !== undefined) return named;
    const raw = row[column] ?? null;
    const shown = await member.show(raw, this.#index, row);
    // What the form of the member cannot say is refused where it is read.
    if (typeof shown === 'boolean' && raw !== 0 && raw !== 1) return typeof given === 'string' ? given : Number(given);
    if (typeof shown === 'number' && !Number.isFinite(shown)) return textIn(given);
    return shown;
  }

  async #nameInsteadOfId(
    entry: FolderEntry,
    { column, refersTo }: Member,
    given: FileValue | undefined,
  ): Promise<JsonValue | undefined> {
    const { object, values } = entry;
    const name = textIn(given);
    if (column === 'value' && object.endsWith('settings')) {
      const [member] = recordSetting(textIn(values['key'])) ?? [];
      return member !== undefined && idIn(given) === null ? { [member]: name } : undefined;
    }
    // The id of a context is its name.
    if (refersTo === undefined || refersTo === 'contexts' || !(await this.#index.isName(refersTo, given)))
      return undefined;
    if (refersTo === 'resources') return this.#index.placeNamed(textIn(values['context_key']) || 'web', name);
    if (refersTo !== 'categories') return name;
    const [path = [name], ...others] = await this.#index.pathsNamed(name);
    const which = [path, ...others].map((one) => `[${one.join(', ')}]`).join(' or ');
    if (others.length > 0) this.#refuse(entry, column, `several categories have the name ${name}: write ${which}`);
    return path;
  }

  async #parentPath(entry: FolderEntry): Promise<JsonValue> {
    const given = entry.values['parent'];
    if (idIn(given) === null && this.#index.categoriesNamed(given ?? null).length > 1)
      this.#refuse(entry, 'parent', `several categories have the name ${textIn(given)}: write the id of one of them`);
    if (this.#index.isInCircle(entry.id)) {
      this.#refuse(entry, 'parent', 'the category is below itself');
      return null;
    }
    const path = await this.#index.nameOf('categories', entry.id);
    return Array.isArray(path) && path.length > 1 ? path.slice(0, -1) : null;
  }

  async #partsOf(entry: FolderEntry, partition: Partition) {
    const { object, values } = entry;
    const parts: Record<string, JsonValue> = {};
    const usual: Record<string, JsonValue> = {};
    if (object === 'resources') {
      const { tvs } = values;
      if (isFileMap(tvs)) parts['tvs'] = await this.#tvValues(entry, tvs, { partition, usual });
      else if (tvs !== undefined && tvs !== null && !(Array.isArray(tvs) && tvs.length === 0)) {
        this.#refuse(entry, 'tvs', 'must be values by the names of template variables');
      }
    }
    for (const [joined, join] of Object.entries(joins)) {
      if (join.of !== object || !this.joins.has(joined)) continue;
      parts[join.member] = await this.joins.of(joined, await this.#index.nameOf(join.of, entry.id));
    }
    return { parts, usual };
  }

  /** The CMS does not keep a value that is the default of its variable. */
  async #tvValues(
    entry: FolderEntry,
    values: FileMap,
    { partition, usual }: { readonly partition: Partition; readonly usual: Record<string, JsonValue> },
  ): Promise<JsonValue> {
    const show = recordKinds['resources']?.parts?.['tvs']?.show;
    const shown: Record<string, JsonValue> = {};
    for (const [name, value] of Object.entries(values)) {
      if (partition.excludedTvs.has(name)) continue;
      const id = Number(this.#index.ownId('tvs', name) ?? (await this.#index.find('tvs', name)) ?? 0);
      const text = typeof value === 'object' && value !== null ? JSON.stringify(value) : textIn(value);
      const isUsual = text === (this.#index.tvs.get(id)?.byDefault ?? '');
      const one = id === 0 ? { [name]: text } : await show?.([{ tmplvarid: id, value: text }], this.#index);
      Object.assign(isUsual ? usual : shown, one);
      if (isUsual) this.#index.takeLost();
      else this.#noteLost(entry, 'tvs');
    }
    return shown;
  }
}

function impliedRecord(object: string, record: Readonly<Record<string, JsonValue>>): TransferRecord {
  return { line: 1, at: `${configFile} line 1`, file: configFile, object, record, objectColumn: 1, places: {} };
}

function placesByMember({ places }: FolderEntry, { members }: RecordKind): TransferRecord['places'] {
  const named = Object.entries(members).flatMap(([name, { column }]) => {
    const place = places[column];
    return place === undefined ? [] : [[name, place] as const];
  });
  return { ...places, ...Object.fromEntries(named) };
}
