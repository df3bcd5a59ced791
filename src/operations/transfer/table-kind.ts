/** A kind whose records are rows of a table with rows of other tables, made of its data (RecordKind). */

import type { JsonValue } from '../../content/objects/values.js';
import type { Param } from '../../store/base/database.js';
import { deleteRows, insertRow, updateRows } from '../../store/models/model.js';
import { batchesOf } from '../../values/batches.js';
import { isSameJson, type JsonObject } from '../../values/json.js';
import {
  type Kind,
  type Loss,
  type Reading,
  type RecordKind,
  type RowKey,
  recordName,
  type Scope,
  type Stored,
  type Writing,
} from './kind.js';
import type { Member, Part, RawValues, Values } from './members.js';
import { isNamedKind, nameIn } from './record-names.js';
import { columnProblem, listRows, spelled, tableRows } from './table-rows.js';
import { Findings, isCount, MissingResource, type WantedId, type Warned, WrongValue } from './transfer-record.js';

export function tableKind(object: string, kind: RecordKind): Kind {
  const { members, parts = {}, primary } = kind;
  const { isOwn, realName, columnsOf, has, whereOf, keyOf, findRow, readRows, readPart } = tableRows(kind);
  const named = isNamedKind(object) ? object : null;
  const hasNth = named !== null && named !== 'categories';
  const names = [...Object.keys(members), ...Object.keys(parts), ...(hasNth ? ['nth'] : [])];

  async function show(
    scope: Scope,
    keys: readonly RowKey[],
    { isWhole }: { readonly isWhole: boolean },
  ): Promise<ReadonlyMap<RowKey, JsonObject>> {
    const found = new Map<RowKey, JsonObject>();
    for (const some of batchesOf(keys)) {
      const rows = await readRows(scope, some);
      const read = new Set(rows.map(keyOf));
      const why = `its ${kind.key.join(' or ')} is NULL, or a number with too many digits`;
      for (const key of some) if (!read.has(key)) scope.onLost?.({ object, key, member: null, why });
      const partRows = new Map<string, ReadonlyMap<number, readonly RawValues[]>>();
      for (const [name, part] of Object.entries(parts))
        partRows.set(name, await readPart(scope, part, rows.map(keyOf)));
      for (const row of rows) {
        const key = keyOf(row);
        const record: Record<string, JsonValue> = {};
        let isLost = false;
        scope.names.takeLost();
        for (const [name, member] of Object.entries(members)) {
          if (!isWhole && member.isLocal === true) continue;
          const stored = has(scope, kind.table, member.column) ? row[member.column] : member.default;
          const isLoose = name === 'parent' && scope.names.resources.closesCircle(object, key);
          if (isLoose) scope.names.lose('its parent is below it');
          const shown = stored === undefined || isLoose ? undefined : await member.show(stored, scope.names, row);
          if (shown !== undefined) record[name] = shown;
          const isNeeded = shown === undefined && name !== 'parent' && isIdentity(name, member);
          if (noteLost(scope, { key, member: isNeeded ? null : name })) isLost ||= isNeeded;
          if (isLost) break;
        }
        if (isLost) {
          if (named !== null) await scope.names.leaveOut(named, key);
          continue;
        }
        for (const [name, byOwner] of partRows) {
          const part = parts[name];
          if (part) record[name] = await part.show(byOwner.get(Number(key)) ?? [], scope.names);
          noteLost(scope, { key, member: name });
        }
        const nth = hasNth ? await scope.names.nthOf(named, key) : 1;
        found.set(key, nth > 1 ? { ...record, nth } : record);
      }
    }
    return found;
  }

  /** Whether a record without the member would be another one. */
  function isIdentity(name: string, { column, default: byDefault, isOptional = false }: Member): boolean {
    return kind.key.includes(name) || column === kind.context || (byDefault === undefined && !isOptional);
  }

  function noteLost({ names, onLost }: Scope, at: Pick<Loss, 'key' | 'member'>): boolean {
    const lost = names.takeLost();
    for (const why of lost) onLost?.({ object, ...at, why });
    return lost.length > 0;
  }

  async function find(scope: Scope, record: JsonObject): Promise<RowKey | undefined> {
    const { nth = 1 } = record;
    if (hasNth && !isCount(nth)) throw new WrongValue('nth must be a whole number from 1 on');
    if (named !== null) {
      const name = nameIn(named, record);
      const found = name === null ? undefined : await scope.names.find(named, name);
      if (found === undefined) return undefined;
      return primary === undefined ? Number(found) : JSON.stringify([found]);
    }
    const where: Record<string, Param> = {};
    for (const name of kind.key) {
      const member = members[name];
      if (member === undefined) continue;
      if (Object.hasOwn(record, name)) where[member.column] = await member.read(record[name], scope.names);
      else if (member.default !== undefined) where[member.column] = member.default;
      else return undefined;
    }
    const row = await findRow(scope, where);
    return row && keyOf(row);
  }

  async function read(scope: Scope, record: JsonObject, stored: Stored | null, wanted?: WantedId): Promise<Reading> {
    const values: Record<string, Param> = {};
    const shown: Record<string, JsonValue> = {};
    const given: { readonly name: string; readonly part: Part; readonly rows: readonly Values[] }[] = [];
    const findings = new Findings();
    const { missing, problems } = findings;
    const warnings: Warned[] = [];
    const attempt = (name: string, work: () => Promise<unknown>) =>
      findings.read(name, work, (error) => {
        const member = members[name];
        const canWait = member === undefined || member.default !== undefined || member.isOptional === true;
        const isSoft = error instanceof MissingResource && !kind.key.includes(name) && canWait;
        if (isSoft && stored === null && member?.default !== undefined) values[member.column] = member.default;
        return isSoft;
      });
    for (const [name, member] of Object.entries(members)) {
      await attempt(name, async () => {
        if (Object.hasOwn(record, name)) values[member.column] = await member.read(record[name], scope.names);
        else if (stored !== null || member.isOptional === true) return;
        else if (member.default === undefined) throw new WrongValue('is required');
        else values[member.column] = member.default;
      });
    }
    Object.assign(values, spelled(scope, values));
    const columns = columnsOf(scope, kind.table);
    const [before] = stored === null ? [] : await readRows(scope, [stored.key]);
    const row: RawValues = { ...before, ...values };
    for (const [name, member] of Object.entries(members)) {
      const value = values[member.column];
      if (value === undefined) continue;
      const column = columns?.get(member.column);
      const problem = column ? columnProblem(value, column) : null;
      if (problem !== null) problems.push([name, problem]);
      if (columns !== undefined && column === undefined) {
        // An older site may lack the column.
        delete values[member.column];
        if (value !== member.default) problems.push([name, 'is not a column of this site']);
      } else if (Object.hasOwn(record, name)) {
        const one = await member.show(value, scope.names, row);
        if (one !== undefined) shown[name] = one;
      }
    }
    for (const [name, part] of Object.entries(parts)) {
      if (!Object.hasOwn(record, name)) continue;
      await attempt(name, async () => {
        const rows = await part.read(record[name], scope.names, (...one) => warnings.push(one));
        given.push({ name, part, rows });
        for (const one of rows) checkPart(name, part.table, one);
        shown[name] = await part.show(rows, scope.names);
      });
    }
    if (kind.isTree === true && stored !== null) await attempt('parent', () => checkTree(stored));
    if (problems.length === 0 && missing.length === 0 && kind.check) {
      problems.push(...kind.check({ ...stored?.record, ...shown }));
    }
    return { shown, missing, problems, warnings, write: (writing) => write(writing) };

    /** What is below the record now may be moved by a later line. */
    async function checkTree({ key, record: before }: Stored): Promise<void> {
      const { parent } = values;
      if (parent === undefined || isSameJson(shown['parent'], before['parent'])) return;
      if (await scope.names.isBelow(kind.table, Number(parent), Number(key))) {
        throw new MissingResource('must not be the record itself, or one below it');
      }
    }

    function checkPart(name: string, table: string, one: Values): void {
      for (const [column, value] of Object.entries(one)) {
        const known = columnsOf(scope, table)?.get(column);
        const problem = known ? columnProblem(value, known) : null;
        if (problem !== null) problems.push([name, `${column} ${problem}`]);
      }
    }

    async function write(writing: Writing | null): Promise<RowKey> {
      if (stored !== null) {
        if (writing !== null) await change(writing, stored.key);
        if (object === 'tvs') await scope.names.addTv(Number(stored.key), { ...row, ...values });
        noteParent(stored.key);
        return stored.key;
      }
      const isWaiting = missing.length > 0;
      const all = { ...kind.constants, ...values, ...(isWaiting ? kind.interim : {}) };
      const key = await insert(writing, all);
      noteParent(key);
      const id = Number(key);
      const name = named === null ? null : nameIn(named, record);
      if (named !== null && name !== null) await scope.names.add(named, name, named === 'contexts' ? String(name) : id);
      if (object === 'tvs') await scope.names.addTv(id, values);
      if (writing === null) return key;
      for (const { table, values: one } of (await kind.also?.(record, id, scope.names)) ?? []) {
        writing.writer.insert(realName(scope, table), one, writing.line);
      }
      for (const one of given) insertPart(writing, one, id);
      return key;
    }

    function noteParent(key: RowKey): void {
      const { parent } = values;
      if (kind.isTree === true && parent !== undefined) scope.names.setParent(kind.table, Number(key), Number(parent));
    }

    async function insert(writing: Writing | null, all: Values): Promise<RowKey> {
      const table = realName(scope, kind.table);
      if (primary !== undefined) {
        if (writing !== null) writing.writer.insert(table, all, writing.line);
        return JSON.stringify(primary.map((column) => all[column] ?? null));
      }
      if (writing === null) return scope.names.takeId(kind.table);
      const completed = kind.completed?.({ ...all, ...values }, { now: writing.now, isNew: true });
      if (isOwn) return insertRow(writing.tx, table, { ...all, ...completed });
      const id = await scope.names.takeId(kind.table, wanted);
      const added = Object.entries(completed ?? {}).filter(([column]) => record[column] === undefined);
      writing.writer.insert(table, { id, ...all, ...Object.fromEntries(added) }, writing.line);
      return id;
    }

    async function change(writing: Writing, key: RowKey): Promise<void> {
      const changed = changedMembers(shown, stored?.record ?? {});
      const columns = changed.flatMap((name) => members[name]?.column ?? []);
      const over = Object.fromEntries(Object.entries(values).filter(([column]) => columns.includes(column)));
      const completed = isOwn ? kind.completed?.({ ...row, ...over }, { now: writing.now, isNew: false }) : {};
      const address = { table: realName(scope, kind.table), where: whereOf(key) };
      await updateRows(writing.tx, address, { ...over, ...completed });
      for (const one of given.filter(({ name }) => changed.includes(name))) {
        const { table, owner, constants = {} } = one.part;
        const where = { [owner]: Number(key), ...spelled(scope, constants) };
        await deleteRows(writing.tx, { table: realName(scope, table), where });
        insertPart(writing, one, Number(key));
      }
    }

    function insertPart({ writer, line }: Writing, { part, rows }: (typeof given)[number], id: number): void {
      const { table, owner, constants } = part;
      for (const one of rows) {
        const row = { [owner]: id, ...spelled(scope, { ...constants, ...one }) };
        writer.insert(realName(scope, table), row, line);
      }
    }
  }

  return {
    object,
    database: isOwn ? 'own' : 'content',
    members: names,
    list: listRows(object, kind),
    show,
    find,
    read,
    nameOf: (record) => recordName(kind, record),
    ...(kind.finish === undefined ? {} : { finish: kind.finish }),
  };
}

export function changedMembers(shown: JsonObject, stored: JsonObject): readonly string[] {
  return Object.keys(shown).filter((name) => !isSameJson(shown[name], stored[name]));
}
