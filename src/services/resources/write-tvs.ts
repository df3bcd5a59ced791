/**
 * Template variables of a write (contract 1.6, storage.md 2.6): each name must be one that the resource's template has
 * and the caller may load. A value that equals a plain default is not stored, as in the CMS.
 */
import { tvPolicy } from '../../access/authorize.js';
import type { Problems } from '../../errors/app-error.js';
import { tvValueField } from '../../objects/tv-value-field.js';
import { readTemplateTvs, removeTvValue, storeTvValue, type TemplateTv } from '../../store/rows/resource-tvs.js';
import type { RecordChanges } from '../mutations/mutation.js';
import { valueProblem } from './check-values.js';
import type { ResourceWork } from './resource-write.js';

export interface TvWrite {
  readonly tv: TemplateTv;
  readonly value: string;
}

/** The values to write; a problem under `tvs.<name>` for each that cannot be. */
export async function planTvs(
  work: ResourceWork,
  asked: {
    readonly tvs: RecordChanges['tvs'];
    readonly template: number;
    readonly context: string;
    readonly problems: Problems;
  },
): Promise<TvWrite[]> {
  const given = Object.entries(asked.tvs ?? {});
  if (given.length === 0) return [];
  const { hiddenTvs, hiddenCategories } = tvPolicy(work.caller, asked.context);
  const known = (await readTemplateTvs(work.tx, work.prefix, asked.template)).filter(
    ({ id, category }) => !hiddenTvs.has(id) && !hiddenCategories.has(category),
  );
  const byName = new Map(known.map((tv) => [tv.name, tv]));
  const column = work.writer.store.tables.get(`${work.prefix}site_tmplvar_contentvalues`)?.columns.get('value');
  const writes: TvWrite[] = [];
  for (const [name, value] of given) {
    const tv = byName.get(name);
    // One text for unknown, not attached and hidden: the caller must not learn which.
    const problem = tv
      ? valueProblem(value, { field: tvValueField, column })
      : 'is not a template variable of the template';
    if (problem !== null) asked.problems.add(`tvs.${name}`, problem);
    else if (tv) writes.push({ tv, value });
  }
  return writes;
}

export async function writeTvs(
  work: ResourceWork,
  { resource, writes }: { readonly resource: number; readonly writes: readonly TvWrite[] },
): Promise<void> {
  for (const { tv, value } of writes) {
    const place = { prefix: work.prefix, resource, tv: tv.id };
    // A default that is a binding (@INHERIT, @SELECT …) has no fixed value that the given one could equal.
    const isDefault = value === tv.defaultText && !tv.defaultText.trimStart().startsWith('@');
    if (isDefault) await removeTvValue(work.tx, place);
    else await storeTvValue(work.tx, place, value);
  }
}
