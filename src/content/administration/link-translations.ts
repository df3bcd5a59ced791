/** Links translations as an administrator, and makes the variable for them where `hcd` has the content to itself. */
import { AppError } from '../../errors/app-error.js';
import { isJsonObject } from '../../values/json.js';
import { elementKinds } from '../elements/element-kinds.js';
import { runMutation } from '../mutations/run-mutation.js';
import type { JsonValue } from '../objects/values.js';
import { chooseContext } from '../query/authorize.js';
import type { RecordJson } from '../reading/select-rows.js';
import { findTranslationVariable } from '../reading/translations.js';
import { linkTranslations } from '../resources/link-translations.js';
import { translationVariable } from '../rules/translation-links.js';
import { everything, readContent } from './browse-content.js';
import type { Editing } from './edit-content.js';
import { createElementByHand } from './edit-elements.js';

interface Pages {
  readonly first: number;
  readonly second: number;
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
    work: async (tx) => ({ mutation: await linkTranslations({ ...write, tx }, { ...pages, variable }), result: null }),
  });
  const intent = { ...everything, fields: ['id'], include: [['translations']] };
  const { translations } = await readContent(editing, { object: 'resources', key: pages.first, intent });
  return Array.isArray(translations) ? translations.filter(isRecord) : [];
}

function isRecord(value: JsonValue): value is RecordJson {
  return isJsonObject(value);
}

async function ensureVariable(editing: Editing): Promise<number> {
  const { store } = editing.writer;
  const { primary } = store.content;
  const known = await findTranslationVariable(primary, store.prefix);
  if (known !== undefined) return known;
  if (store.kind === 'attached') {
    const message = `The site has no template variable ${translationVariable}: install the extra Babel in its content system`;
    throw new AppError('refused', { message });
  }
  const kind = elementKinds.find(({ object }) => object === 'tvs');
  if (kind === undefined) throw new AppError('internal_error');
  const body = { name: translationVariable, type: 'hidden', caption: 'Translations' };
  return Number((await createElementByHand(editing, kind, body))['id']);
}
