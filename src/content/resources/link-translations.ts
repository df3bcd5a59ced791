/** Makes pages translations of one another as Babel does: the variable of each names all of its group. */
import { AppError, invalidField } from '../../errors/app-error.js';
import type { Mutation } from '../live/mutation.js';
import { encodeState, updateResource as updateRow } from '../models/resources.js';
import { deleteRows, insertRow } from '../models/rows.js';
import type { Write } from '../mutations/write-request.js';
import { readLinksOf } from '../reading/translations.js';
import { writeTranslationLinks } from '../rules/translation-links.js';
import { changedValues } from './planned-rows.js';
import { type ResourceWork, startWork, toMutation } from './resource-write.js';

interface Linking {
  readonly first: number;
  readonly second: number;
  readonly variable: number;
  /** Takes the second page out of the group of the first instead. */
  readonly isUndone: boolean;
}

/** The groups of both become one, without other pages of their contexts. Throws not_found, validation_failed. */
export async function linkTranslations(
  write: Write,
  { first, second, variable, isUndone }: Linking,
): Promise<Mutation> {
  const work = await startWork(write);
  const { tx, prefix, rows } = work;
  const [one, other] = [await loadPage(work, first), await loadPage(work, second)];
  if (one.context_key === other.context_key) {
    throw invalidField('other', `is in the context ${one.context_key} too; translations are in different contexts`);
  }
  const stored = await readLinksOf(tx, prefix, { resources: [first, second], variable });
  const [ofOne, ofOther] = [stored.get(first) ?? new Map(), stored.get(second) ?? new Map()];
  const group = new Map<string, number>(isUndone ? ofOne : [...ofOther, ...ofOne]);
  group.set(one.context_key, first).set(other.context_key, second);
  if (isUndone) group.delete(other.context_key);
  const members = new Set(group.values());
  for (const id of new Set([...ofOne.values(), ...ofOther.values(), ...members, second])) {
    if ((await rows.load(id)) === undefined) continue;
    const isLinked = members.has(id) && members.size > 1;
    await writeValue(work, { id, variable, value: isLinked ? writeTranslationLinks(group) : null });
    rows.change(id, { editedon: work.now, editedby: work.actor });
  }
  const row = rows.find(first);
  if (row) await updateRow(tx, work.table, { id: first, values: encodeState(changedValues(row)) });
  await rows.write({ except: first });
  return toMutation(work, 'updated', { before: one, after: rows.get(first) });
}

async function loadPage({ rows }: ResourceWork, id: number) {
  const row = await rows.load(id);
  if (row === undefined || row.deleted) throw new AppError('not_found', { message: `There is no resource ${id}` });
  return row;
}

async function writeValue(
  { tx, prefix }: ResourceWork,
  { id, variable, value }: { readonly id: number; readonly variable: number; readonly value: string | null },
): Promise<void> {
  const table = `${prefix}site_tmplvar_contentvalues`;
  const where = { tmplvarid: variable, contentid: id };
  await deleteRows(tx, { table, where });
  if (value !== null) await insertRow(tx, table, { ...where, value });
}
