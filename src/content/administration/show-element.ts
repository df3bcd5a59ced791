/** An element with what lists leave out: the names of joined elements, and serialized columns as JSON. */
import { type ElementKind, joinedKind } from '../elements/element-kinds.js';
import type { Administration } from '../live/administrator.js';
import { tvTemplates } from '../models/template-variables.js';
import type { ShapeIntent } from '../query/ast.js';
import { fieldRef, hasKey, oneOf } from '../query/predicate.js';
import { type RecordJson, selectRows } from '../reading/select-rows.js';
import { jsonOfPhp, parsePhpValue } from '../rules/php-value.js';
import { everything, findElement } from './browse-content.js';

interface Asked {
  readonly kind: ElementKind;
  readonly idOrName: string;
  /** Default: whole. */
  readonly intent?: ShapeIntent;
}

/** Throws not_found, and refused when several elements have the name. */
export async function showElement(
  admin: Administration,
  { kind, idOrName, intent = everything }: Asked,
): Promise<RecordJson> {
  const record = await findElement(admin, { ...kind, idOrName, intent });
  if (intent.fields !== null) return record;
  return { ...record, ...(await readSerialized(admin, kind, record)), ...(await readJoined(admin, kind, record)) };
}

async function readSerialized({ reader }: Admin, kind: ElementKind, record: RecordJson): Promise<RecordJson> {
  // Sources other than folders have keys and passwords among their properties.
  if (kind.object === 'media_sources' && !/(^|[\\.])modFileMediaSource$/.test(String(record['class_key']))) return {};
  const value = record[kind.definition.primaryKey];
  if (kind.serialized.length === 0 || (typeof value !== 'number' && typeof value !== 'string')) return {};
  const where = hasKey(kind.definition, value);
  const [row] = await selectRows(reader, kind.written, { needed: kind.serialized, where });
  return Object.fromEntries(kind.serialized.map((name) => [name, readProperties(row?.raw(name) ?? null)]));
}

type Admin = Pick<Administration, 'reader'>;

function readProperties(raw: unknown): RecordJson[string] {
  if (raw === null || raw === '') return null;
  const value = parsePhpValue(String(raw));
  // What JSON cannot say is shown as it is stored.
  return (value === undefined ? undefined : jsonOfPhp(value)) ?? String(raw);
}

async function readJoined({ reader }: Admin, kind: ElementKind, { id }: RecordJson): Promise<RecordJson> {
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
