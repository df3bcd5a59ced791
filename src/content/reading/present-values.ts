/** Shows values in the requested form, with one statement for all records that template variables name. */
import { wordList } from '../../values/text.js';
import type { ValueForm } from '../query/ast.js';
import type { RowPlan } from '../query/plan.js';
import type { TvRecordPlan } from '../query/plan-includes.js';
import { all, hasAnyKey } from '../query/predicate.js';
import { firstTag } from '../rules/element-tags.js';
import { holdsJson, refersToResources, tvReader } from '../rules/tv-types.js';
import { knownTimeZone } from '../rules/tv-values.js';
import { describeImages } from './describe-images.js';
import { resolveTexts } from './resolve-texts.js';
import {
  type ContentReader,
  type LoadedRow,
  neededFields,
  type RecordJson,
  type RowSet,
  selectRows,
} from './select-rows.js';
import { readLinkTexts, SiteView, type TextPlace } from './site-view.js';
import { setOwn, type TvSlot } from './template-variables.js';

export interface Remarks {
  /** Template variables with a value that is not of their type, sorted. */
  readonly untyped: readonly string[];
  /** Ids of links that have no address for the caller, sorted. */
  readonly unresolved: readonly number[];
}

interface Presented extends Remarks {
  readonly dependsOn: readonly RowSet[];
}

export async function presentValues(
  reader: ContentReader,
  asked: { readonly plan: RowPlan; readonly rows: readonly LoadedRow[]; readonly slots: readonly TvSlot[] },
): Promise<Presented> {
  const { form } = asked.plan;
  if (form === null) return { untyped: [], unresolved: [], dependsOn: [] };
  const changesTexts = form.urls !== null || form.resolvesLinks || form.resolvesTags || form.stripsTags;
  const { unresolved, dependsOn } = changesTexts ? await changeTexts(reader, { ...asked, form }) : nothingChanged;
  const untyped = form.typed ? giveTypes(reader, asked.slots) : [];
  if (form.describesImages) await describeImages(reader, { slots: asked.slots, form });
  return { untyped, unresolved, dependsOn: [...dependsOn, ...(await attachTvRecords(reader, asked))] };
}

const nothingChanged = { unresolved: [], dependsOn: [] } as const;

const textFields = wordList('content introtext pagetitle longtitle menutitle description link_attributes');

async function changeTexts(
  reader: ContentReader,
  { plan, rows, slots, form }: Parameters<typeof presentValues>[1] & { readonly form: ValueForm },
): Promise<Pick<Presented, 'unresolved' | 'dependsOn'>> {
  const { fields, targets } = await fieldPlaces(reader, { plan, rows, form });
  const site = new SiteView(reader, form);
  const files = new Set(slots.length === 0 ? [] : site.fileTypes(plan.context));
  const values: { readonly slot: TvSlot; readonly place: TextPlace }[] = [];
  for (const slot of slots) {
    const place = placeOf(slot, files);
    if (place !== null && mayChange(place.kind, place.firstTag, form)) values.push({ slot, place });
  }
  const places = [...fields, ...values, ...targets].map(({ place }) => place);
  const resolved = await resolveTexts(reader, { plan, form, places });
  for (const { record, name, place } of fields) record[name] = place.text;
  for (const { slot, place } of values) {
    slot.text = place.text;
    setOwn(slot.tvs, slot.variable.name, place.text);
  }
  for (const { record, place } of targets) {
    const address = firstTag(place.text) === -1 ? place.text.trim() : '';
    record['link'] = address === '' ? null : site.address(address, plan.context, form.urls ?? 'site');
  }
  return resolved;
}

interface FieldPlaces {
  readonly fields: readonly { readonly place: TextPlace; readonly record: RecordJson; readonly name: string }[];
  readonly targets: readonly { readonly place: TextPlace; readonly record: RecordJson }[];
}

async function fieldPlaces(
  reader: ContentReader,
  { plan, rows, form }: { readonly plan: RowPlan; readonly rows: readonly LoadedRow[]; readonly form: ValueForm },
): Promise<FieldPlaces> {
  const fields: FieldPlaces['fields'][number][] = [];
  const shown = textFields.filter((name) => plan.fields.includes(name));
  const links = form.resolvesLinks ? await readLinkTexts(reader, plan, rows) : new Map<LoadedRow, string>();
  const targets: FieldPlaces['targets'][number][] = [];
  for (const row of rows) {
    const { record } = row;
    const about = { context: plan.context, tv: null, resource: Number(row.raw(plan.definition.primaryKey)) };
    const link = links.get(row);
    if (link !== undefined) {
      targets.push({
        record,
        place: { ...about, text: link, kind: 'text', firstTag: firstTag(link), name: 'content' },
      });
    }
    for (const name of shown) {
      const text = link !== undefined && name === 'content' ? link : record[name];
      if (typeof text !== 'string' || text === '') continue;
      const kind = name === 'content' && link === undefined ? 'html' : 'text';
      const tag = firstTag(text);
      if (!mayChange(kind, tag, form)) continue;
      fields.push({ record, name, place: { ...about, text, kind, firstTag: tag, name } });
    }
  }
  return { fields, targets };
}

function mayChange(kind: TextPlace['kind'], tag: number, { urls }: ValueForm): boolean {
  return tag !== -1 || (urls !== null && kind !== 'text');
}

const htmlTypes: ReadonlySet<string> = new Set(['richtext', 'htmlarea']);

function placeOf({ resource, context, variable, text }: TvSlot, files: ReadonlySet<string>): TextPlace | null {
  if (text === '') return null;
  const { id: tv, type, name } = variable;
  const kind = files.has(type) ? 'file' : holdsJson(variable) ? 'json' : htmlTypes.has(type) ? 'html' : 'text';
  return { text, kind, firstTag: firstTag(text), context, tv, resource, name };
}

function giveTypes({ site }: ContentReader, slots: readonly TvSlot[]): readonly string[] {
  const untyped = new Set<string>();
  for (const { tvs, context, variable: tv, text } of slots) {
    const value = tvReader(tv)(text, knownTimeZone(site.setting(context, 'date_timezone') ?? ''));
    if (value === undefined) untyped.add(tv.name);
    if (value !== text) setOwn(tvs, tv.name, value ?? null);
  }
  return [...untyped].sort();
}

/** Keeps an id when the caller may not see its record. */
async function attachTvRecords(
  reader: ContentReader,
  { plan, rows, slots }: Parameters<typeof presentValues>[1],
): Promise<readonly RowSet[]> {
  if (plan.tvRecords.length === 0) return [];
  const shown = new Set(rows.map(({ record }) => record['tvs']));
  const attach = (one: TvRecordPlan) => {
    const isNaming = ({ variable, tvs }: TvSlot) =>
      variable.name === one.name && refersToResources(variable) && shown.has(tvs);
    return attachOne(reader, one, slots.filter(isNaming));
  };
  return (await Promise.all(plan.tvRecords.map(attach))).flat();
}

async function attachOne(
  reader: ContentReader,
  { name, target, fields, where }: TvRecordPlan,
  slots: readonly TvSlot[],
): Promise<readonly RowSet[]> {
  const ids = [...new Set(slots.map(({ tvs }) => tvs[name]).filter((value) => typeof value === 'number'))];
  if (ids.length === 0) return [];
  const named = hasAnyKey(target, ids);
  const needed = neededFields({ definition: target, includes: [] });
  const found = await selectRows(reader, target, { fields, needed, where: all([where, named]) });
  const byId = new Map(found.map((row) => [Number(row.raw(target.primaryKey)), row.record]));
  for (const { tvs } of slots) {
    const record = byId.get(Number(tvs[name]));
    if (record !== undefined) setOwn(tvs, name, record);
  }
  return [{ definition: target, where: named }];
}
