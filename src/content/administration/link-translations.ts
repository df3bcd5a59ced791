/** Makes pages translations of one another as Babel does: the variable of each names all of its group. */
import { AppError, invalidField } from '../../errors/app-error.js';
import { isJsonObject } from '../../values/json.js';
import { kindNamed } from '../elements/element-kinds.js';
import type { Mutation } from '../live/mutation.js';
import { runMutation, type Write } from '../mutations/run-mutation.js';
import { chooseContext } from '../query/authorize.js';
import type { RecordJson } from '../reading/select-rows.js';
import {
  findTranslationVariable,
  readLinksOf,
  translationVariable,
  writeTranslationLinks,
} from '../reading/translations.js';
import { type ResourceWork, startWork, toMutation } from '../resources/resource-write.js';
import { writeTvs } from '../resources/write-tvs.js';
import { everything, readContent } from './browse-content.js';
import type { Editing } from './edit-content.js';
import { createElementByHand } from './edit-elements.js';

interface Pages {
  readonly first: number;
  readonly second: number;
  /** Takes the second page out of the group of the first instead. */
  readonly isUndone: boolean;
}

/** Returns the translations of the first page. Throws not_found, validation_failed, refused without Babel on a CMS. */
export async function linkTranslationsByHand(editing: Editing, pages: Pages): Promise<readonly RecordJson[]> {
  const { writer, caller } = editing;
  const { store, listeners } = writer;
  const variable = await ensureVariable(editing);
  const write = { writer, caller, context: chooseContext(caller, null), namesContext: false };
  await runMutation({
    ...{ store, listeners, seal: null },
    work: async (tx) => ({ mutation: await linkPages({ ...write, tx }, pages, variable), result: null }),
  });
  const intent = { ...everything, fields: ['id'], include: [['translations']] };
  const { translations } = await readContent(editing, { object: 'resources', key: pages.first, intent });
  return Array.isArray(translations) ? translations.filter((one): one is RecordJson => isJsonObject(one)) : [];
}

/** `hcd` makes the variable where it has the content to itself. */
async function ensureVariable(editing: Editing): Promise<number> {
  const { store } = editing.writer;
  const known = await findTranslationVariable(store.content.primary, store.prefix);
  if (known !== undefined) return known;
  if (store.kind === 'attached') {
    const message = `The site has no template variable ${translationVariable}: install the extra Babel in its CMS`;
    throw new AppError('refused', { message });
  }
  const body = { name: translationVariable, type: 'hidden', caption: 'Translations' };
  return Number((await createElementByHand(editing, kindNamed('tvs'), body)).record['id']);
}

/** The groups of both become one, without other pages of their contexts. */
async function linkPages(write: Write, { first, second, isUndone }: Pages, variable: number): Promise<Mutation> {
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
    const value = isLinked ? writeTranslationLinks(group) : null;
    await writeTvs(work, { resource: id, writes: [{ tv: variable, value }] });
    rows.change(id, { editedon: work.now, editedby: work.actor });
  }
  await rows.write();
  return toMutation(work, 'updated', { before: one, after: rows.get(first) });
}

async function loadPage({ rows }: ResourceWork, id: number) {
  const row = await rows.load(id);
  if (row === undefined || row.deleted) throw new AppError('not_found', { message: `There is no resource ${id}` });
  return row;
}
