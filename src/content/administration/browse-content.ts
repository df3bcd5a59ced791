/** Content as an administrator reads it: unpublished rows are included. */
import { nearMatch } from '../../config/near-match.js';
import { AppError, invalidField } from '../../errors/app-error.js';
import { type ElementKind, joinedKind } from '../elements/element-kinds.js';
import { type Administration, callerOfPreview } from '../live/administrator.js';
import { tvTemplates } from '../models/template-variables.js';
import type { ObjectDefinition } from '../objects/definition.js';
import { type ListIntent, plainShape, type ShapeIntent } from '../query/ast.js';
import { type PlanInput, planList, planRead } from '../query/plan.js';
import { all, columnRef, equals, fieldRef, hasKey, oneOf, type Predicate } from '../query/predicate.js';
import { complete } from '../reading/includes.js';
import { listRecords, type RecordList } from '../reading/list-records.js';
import { readRecord, uriInPreview } from '../reading/read-record.js';
import { readTvTypes } from '../reading/read-tv-types.js';
import { type RecordJson, selectPlanned, selectRows } from '../reading/select-rows.js';
import { isFileSource } from '../rules/media-source.js';
import { jsonOfPhp, parsePhpValue } from '../rules/php-value.js';

export const everything: ShapeIntent = { ...plainShape, preview: true, includeDeleted: true };

export function wholeList(shape: Partial<ListIntent>, limit: number): ListIntent {
  return {
    ...everything,
    filters: [],
    sort: [],
    search: null,
    words: null,
    withExcerpt: false,
    ids: null,
    paging: { kind: 'offset', limit, offset: 0 },
    ...shape,
  };
}

const manyNames = 2000;

/** Without a context the records of every context are listed. Throws validation_failed. */
export async function listContent(
  admin: Administration,
  { object, intent }: { readonly object: string; readonly intent: ListIntent },
): Promise<RecordList> {
  const plan = planList({ ...intent, preview: true }, planInput(admin, object, intent.context));
  return listRecords(admin.reader, { plan, paging: intent.paging, caller: admin.caller });
}

/** By name: the templates of a variable, and the JSON Schema of what it accepts. Without a template it is left out. */
export async function readTvRules({ reader, caller }: Administration): Promise<Readonly<Record<string, RecordJson>>> {
  const { tvs } = await readTvTypes(reader, caller);
  return Object.fromEntries(
    Object.entries(tvs).map(([name, { templates, accepts }]) => [name, { templates, accepts } as RecordJson]),
  );
}

/** Deleted records are included. Throws not_found. */
export async function readContent(
  admin: Administration,
  asked: { readonly object: string; readonly key: number; readonly intent: ShapeIntent },
): Promise<RecordJson> {
  const { object, key, intent } = asked;
  const plan = planRead({ ...intent, preview: true, includeDeleted: true }, planInput(admin, object, null));
  const found = await readRecord(admin.reader, { plan, key, caller: admin.caller });
  return found.record;
}

interface Named extends Pick<ElementKind, 'object' | 'singular' | 'nameField'> {
  readonly idOrName: string;
}

interface ElementAsked extends Named {
  readonly intent: ShapeIntent;
}

/** By id or, if no record has this id, by name. Throws not_found, and refused when several elements have the name. */
async function findElement(admin: Administration, asked: ElementAsked): Promise<RecordJson> {
  const { object, nameField, idOrName, intent } = asked;
  const input = planInput(admin, object, null);
  const { definition } = input;
  const key = definition.primaryKey;
  const plan = planRead({ ...intent, preview: true }, input);
  const matching: Predicate = { kind: 'any', of: matches(definition, { fields: [key, nameField], text: idOrName }) };
  const rows = await selectPlanned(admin.reader, plan, all([matching, plan.where]), [key, nameField]);
  const byKey = rows.filter((row) => String(row.raw(key)) === idOrName);
  const [row, ...others] = byKey.length > 0 ? byKey : rows;
  if (!row) throw await missingElement(admin, asked);
  if (others.length > 0) {
    const ids = [row, ...others].map((one) => String(one.raw(key))).join(', ');
    const message = `Several ${object} are named "${idOrName}": give one of the ids ${ids} of ${listOf(object)}`;
    throw new AppError('refused', { message });
  }
  return (await complete(admin.reader, { plan, row, caller: admin.caller })).record;
}

/** A field that names a record: its key. A missing or ambiguous one is a problem of the field. */
export async function keyNamed(admin: Administration, asked: Named, field: string): Promise<number | string> {
  try {
    return await findKey(admin, asked);
  } catch (error) {
    if (!(error instanceof AppError) || (error.code !== 'not_found' && error.code !== 'refused')) throw error;
    throw invalidField(field, error.message);
  }
}

export async function findKey(admin: Administration, asked: Named): Promise<number | string> {
  const { primaryKey } = planInput(admin, asked.object, null).definition;
  const found = await findElement(admin, { ...asked, intent: { ...everything, fields: [primaryKey] } });
  const key = found[primaryKey];
  return typeof key === 'number' ? key : String(key);
}

async function missingElement(admin: Administration, asked: ElementAsked): Promise<AppError> {
  const { object, singular, nameField, idOrName, intent } = asked;
  const names = wholeList({ ...intent, fields: [nameField] }, manyNames);
  const { rows } = await listContent(admin, { object, intent: names });
  const near = nearMatch(
    idOrName,
    rows.map(({ record }) => String(record[nameField])),
  );
  const hint = near === undefined ? ';' : `; did you mean "${near}"?`;
  const name = object === 'resources' ? 'URI' : 'name';
  const message = `There is no ${singular} with the id or ${name} "${idOrName}"${hint} ${listOf(object)} shows every ${singular}`;
  return new AppError('not_found', { message });
}

function listOf(object: string): string {
  return object === 'resources' ? 'hcd resource list' : `hcd element list ${object}`;
}

function matches(
  definition: ObjectDefinition,
  { fields, text }: { readonly fields: readonly string[]; readonly text: string },
): Predicate[] {
  return [...new Set(fields)].flatMap((name): Predicate[] => {
    const field = definition.fields[name];
    if (!field || (field.type === 'integer' && !/^[1-9]\d{0,14}$/.test(text))) return [];
    const value = field.type === 'integer' ? Number(text) : text;
    return [equals(columnRef(field), value)];
  });
}

function planInput({ reader, caller }: Administration, object: string, context: string | null): PlanInput {
  const definition = reader.registry.objects.get(object);
  if (!definition) throw new AppError('internal_error', { message: `${object} is not a core object` });
  return {
    definition: context === null ? acrossContexts(definition) : definition,
    registry: reader.registry,
    caller,
  };
}

function acrossContexts(definition: ObjectDefinition): ObjectDefinition {
  const { context: _none, ...visibility } = definition.visibility;
  return { ...definition, visibility };
}

/**
 * Without fields: whole, with the names of joined elements and serialized columns as JSON. Throws not_found, and refused
 * when several elements have the name.
 */
export async function showElement(
  admin: Administration,
  {
    kind,
    idOrName,
    intent = everything,
  }: { readonly kind: ElementKind; readonly idOrName: string; readonly intent?: ShapeIntent },
): Promise<RecordJson> {
  const record = await findElement(admin, { ...kind, idOrName, intent });
  if (intent.fields !== null) return record;
  return { ...record, ...(await readSerialized(admin, kind, record)), ...(await readJoined(admin, kind, record)) };
}

async function readSerialized({ reader }: Administration, kind: ElementKind, record: RecordJson): Promise<RecordJson> {
  // Sources other than folders have keys and passwords among their properties.
  if (kind.object === 'media_sources' && !isFileSource(String(record['class_key']))) return {};
  const value = record[kind.definition.primaryKey];
  if (kind.serialized.length === 0 || (typeof value !== 'number' && typeof value !== 'string')) return {};
  const where = hasKey(kind.definition, value);
  const [row] = await selectRows(reader, kind.written, { needed: kind.serialized, where });
  return Object.fromEntries(kind.serialized.map((name) => [name, readProperties(row?.raw(name) ?? null)]));
}

function readProperties(raw: unknown): RecordJson[string] {
  if (raw === null || raw === '') return null;
  const value = parsePhpValue(String(raw));
  // What JSON cannot say is shown as it is stored.
  return (value === undefined ? undefined : jsonOfPhp(value)) ?? String(raw);
}

async function readJoined({ reader }: Administration, kind: ElementKind, { id }: RecordJson): Promise<RecordJson> {
  const other = joinedKind(kind);
  if (kind.join === null || other === undefined || typeof id !== 'number') return {};
  const isTemplate = kind.join === 'tvs';
  const joins = await tvTemplates
    .on(reader.db, reader.prefix)
    .lookUpAll(isTemplate ? { templateid: id } : { tmplvarid: id }, { order: ['rank', 'tmplvarid', 'templateid'] });
  const ids = joins.map(({ tmplvarid, templateid }) => (isTemplate ? tmplvarid : templateid));
  const where = oneOf(fieldRef(other.definition, 'id'), ids);
  const rows = await selectRows(reader, other.definition, { needed: ['id', other.nameField], where });
  const names = new Map(rows.map((row) => [row.raw('id'), String(row.raw(other.nameField))]));
  return { [kind.join]: ids.flatMap((one) => names.get(one) ?? []) };
}

/** Null when such a preview would show the resource neither in the gateway nor as a page. */
export async function uriToPreview(
  admin: Administration,
  { resource, ...rights }: { readonly resource: number } & Parameters<typeof callerOfPreview>[1],
): Promise<string | null> {
  const caller = await callerOfPreview(admin, rights);
  return uriInPreview(admin.reader, { caller, context: rights.context, resource });
}
