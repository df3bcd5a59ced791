/** Template variables of a write (docs/writing.md#template-variables), stored as the CMS stores them. */

import { AppError } from '../../errors/app-error.js';
import { deleteRows, insertRow, updateRows } from '../../store/models/model.js';
import { isSameJson } from '../../values/json.js';
import type { RecordChanges } from '../live/mutation.js';
import type { ResourceState } from '../models/resources.js';
import {
  tvs as allTvs,
  readTvValues,
  type TemplateVariable,
  tvPlace,
  tvTemplates,
  tvValues,
} from '../models/template-variables.js';
import { tvValueField } from '../objects/values.js';
import { mayWriteBindings, tvPolicy } from '../query/authorize.js';
import { KnownFiles } from '../reading/known-files.js';
import { SiteView } from '../reading/site-view.js';
import { tvProblem } from '../rules/tv-rules.js';
import { holdsJson, tvReader } from '../rules/tv-types.js';
import { addedBinding, evaluatedBinding, isInherited, knownTimeZone, rawValue, tvText } from '../rules/tv-values.js';
import { valueProblem } from './check-values.js';
import type { ResourceWork } from './resource-write.js';

interface TvWrite {
  readonly tv: number;
  readonly value: string | null;
}

/** Throws scope_denied for a value that the CMS would evaluate. */
export async function planTvs(
  work: ResourceWork,
  { tvs, tvsAreTyped, row }: Pick<RecordChanges, 'tvs' | 'tvsAreTyped'> & { readonly row: ResourceState },
): Promise<TvWrite[]> {
  const { problems } = work;
  const context = row.context_key;
  const given = Object.entries(tvs ?? {});
  if (given.length === 0) return [];
  const known = (await readTemplateTvs(work, row.template)).filter(tvPolicy(work.caller, context));
  const byName = new Map(known.map((tv) => [tv.name, tv]));
  const values = await readShownValues(work, row, known);
  const timeZone = knownTimeZone(work.rulesOf(context).settings.get('date_timezone') ?? '');
  const column = work.writer.store.tables.get(`${work.prefix}site_tmplvar_contentvalues`)?.columns.get('value');
  const writes: TvWrite[] = [];
  for (const [name, value] of given) {
    const tv = byName.get(name);
    // One text for unknown, not attached and hidden: the caller must not learn which.
    if (!tv) problems.add(`tvs.${name}`, 'is not a template variable of the template');
    else {
      const old = values.shown(tv);
      const typed = tvReader(tv)(old, timeZone);
      const read = tvText(value, { type: tv.type, timeZone, isJson: holdsJson(tv) });
      const isSame = typed === undefined ? tvsAreTyped === true && value === null : isSameJson(value, typed);
      const text = isSame || value === old ? old : read.ok ? read.value : null;
      const problem = read.ok ? valueProblem(read.value, { field: tvValueField, column }) : read.problem;
      const byDefault = values.byDefault(tv);
      // The developer of the site has chosen the default, but not that a value may be taken away.
      if (text !== null && text !== old && (text === '' || text !== byDefault))
        await checkRules(work, { tv, text, context });
      if (text === byDefault) writes.push({ tv: tv.id, value: null });
      else if (text === old) continue;
      else if (text === null || problem !== null) problems.add(`tvs.${name}`, problem ?? '');
      else {
        checkBindings(work, { name, value: text, old });
        writes.push({ tv: tv.id, value: text });
      }
    }
  }
  return writes;
}

/** Refuses what breaks a rule of the variable, or warns of it, as gateway_tv_validation says. */
async function checkRules(
  { tx, prefix, writer, problems, warnings }: ResourceWork,
  { tv, text, context }: { readonly tv: TemplateTv; readonly text: string; readonly context: string },
): Promise<void> {
  const { filesDir } = writer.reader;
  if (tv.type === 'image' && filesDir !== undefined) {
    const address = new SiteView(writer.reader, { urls: 'site' }).file({ text, tv: tv.id, context }, 'site');
    const message = await new KnownFiles(filesDir).problemOf(text, { content: tx, prefix, address });
    if (message !== null) warnings.push({ field: `tvs.${tv.name}`, message });
  }
  const mode = writer.live().settings.values.gateway_tv_validation;
  const message = mode === 'off' ? null : tvProblem(text, tv);
  if (message === null) return;
  if (mode === 'strict') problems.add(`tvs.${tv.name}`, message, 'Invalid field value');
  else warnings.push({ field: `tvs.${tv.name}`, message });
}

function checkBindings(
  { caller }: ResourceWork,
  { name, value, old }: { readonly name: string; readonly value: string; readonly old: string },
): void {
  const added = mayWriteBindings(caller) ? null : addedBinding(value, old);
  if (added === null) return;
  throw new AppError('scope_denied', {
    message: `Insufficient permissions: tvs.${name} has ${evaluatedBinding(added)}, which the CMS evaluates; it needs the scope resources.bindings (in commands --trust)`,
  });
}

type TemplateTv = Pick<TemplateVariable, 'id' | 'name' | 'type' | 'category' | 'elements'> & {
  readonly inputProperties: string | null;
  readonly defaultText: string;
};

async function readTemplateTvs({ tx, prefix }: ResourceWork, template: number): Promise<TemplateTv[]> {
  const links = await tvTemplates.on(tx, prefix).lookUpAll({ templateid: template }, { attributes: ['tmplvarid'] });
  const attributes = ['id', 'name', 'type', 'category', 'elements', 'default_text', 'input_properties'] as const;
  const key = { id: links.map(({ tmplvarid }) => tmplvarid) };
  const rows = await allTvs.on(tx, prefix).lookUpAll(key, { attributes, order: ['id'] });
  return rows.map(({ default_text: text, input_properties: inputProperties, ...row }) => ({
    ...row,
    inputProperties,
    defaultText: text ?? '',
  }));
}

async function readShownValues(work: ResourceWork, row: ResourceState, known: readonly TemplateTv[]) {
  const tvs = known.map(({ id }) => id);
  const stored = await readTvValues(work.tx, work.prefix, { resources: [row.id], tvs });
  const texts = [...known.map(({ defaultText }) => defaultText), ...stored.values()];
  const chain = texts.some(isInherited) ? (await work.rows.loadUpwards(row.parent)).map(({ id }) => id) : [];
  const above = await readTvValues(work.tx, work.prefix, { resources: chain, tvs });
  const show = ({ id, defaultText }: TemplateTv, own: string | undefined): string =>
    rawValue({
      variable: { id, defaultText },
      resourceId: row.id,
      source: {
        stored: (tv, resource) => (resource === row.id ? own : above.get(tvPlace(tv, resource))),
        // For an unknown resource the chain starts with its parent.
        parentOf: (resource) => chain[chain.indexOf(resource) + 1],
      },
    });
  return {
    shown: (tv: TemplateTv) => show(tv, stored.get(tvPlace(tv.id, row.id))),
    byDefault: (tv: TemplateTv) => show(tv, undefined),
  };
}

export async function writeTvs(
  work: ResourceWork,
  { resource, writes }: { readonly resource: number; readonly writes: readonly TvWrite[] },
): Promise<void> {
  const { tx, prefix } = work;
  const table = prefix + tvValues.table;
  for (const { tv, value } of writes) {
    const where = { contentid: resource, tmplvarid: tv };
    if (value === null) {
      await deleteRows(tx, { table, where });
      continue;
    }
    // If an old database holds several rows, the first one counts.
    const [first] = await tvValues.on(tx, prefix).lookUpAll(where, { attributes: ['id'], order: ['id'], limit: 1 });
    if (first) await updateRows(tx, { table, where: { id: first.id } }, { value });
    else await insertRow(tx, table, { ...where, value });
  }
}
