/** Changes one setting. A change raises the content generation, so that no cached answer outlives it. */

import { type Environment, variableOf } from '../../config/definitions.js';
import {
  addressSettings,
  effectiveSettings,
  formatSetting,
  isSettingKey,
  parseSetting,
  type SettingKey,
  safeProblem,
  settingDefinition,
  storedKind,
} from '../../config/settings.js';
import { booleanValue } from '../../config/value-type.js';
import { readContextKeys } from '../../content/models/elements.js';
import {
  isFlag,
  readSystemSettings,
  setContextSetting,
  setSystemSetting,
  settingNamespace,
  unsetContextSetting,
  unsetSystemSetting,
} from '../../content/models/settings.js';
import {
  checkContextOf,
  readForeign,
  readSetting,
  type SettingTarget,
  unknownKey,
  viewOfForeign,
} from '../../content/settings/settings.js';
import { isSealed } from '../../crypto/seal.js';
import { AppError, invalidField } from '../../errors/app-error.js';
import { formatKeptKey, readKeptKey } from '../../identity/page-tokens/token-settings.js';
import type { Tx } from '../../store/base/database.js';
import type { Store } from '../../store/open/open.js';
import { writeRaising } from '../../store/state/state.js';
import { openWebhookSealer } from '../../webhooks/administration/secrets.js';

export type SettingChange = Awaited<ReturnType<typeof changeOf>>;

/** A key of the CMS without a row is made only with `force`. Throws validation_failed, not_found. */
export async function changeSetting(
  store: Store,
  asked: SettingTarget & {
    readonly env: Environment;
    readonly text: string;
    readonly force: boolean;
    /** The configured root secret; null = the one kept in the database. */
    readonly rootSecret: string | null;
  },
): Promise<SettingChange> {
  const { key, context, text } = asked;
  if (isSettingKey(key)) {
    await checkContextOf(store, key, context);
    checkIsNotManaged(key);
    const value = await keptText(store, { key, value: storedText(key, text), rootSecret: asked.rootSecret });
    await writeRaising(store, async (tx) => {
      await checkTogether(tx, store.prefix, { key, value, env: asked.env });
      await checkContexts(tx, store.prefix, { key, value });
      await storeSetting(tx, store.prefix, { key, value, kind: storedKind(key), context });
    });
    return changeOf(store, asked);
  }
  const found = await readForeign(store, { key, context });
  const known = found.own ?? found.system;
  if (!known && (!asked.force || settingNamespace(key) !== 'core')) throw await unknownKey(store, key);
  const kind = known && isFlag(known) ? 'flag' : 'text';
  const setting = { key, value: kind === 'flag' ? flagText(key, text) : text, kind } as const;
  await writeRaising(store, (tx) => storeSetting(tx, store.prefix, { ...setting, context }));
  return changeOf(store, asked);
}

async function storeSetting(
  tx: Tx,
  prefix: string,
  { context, ...setting }: Parameters<typeof setSystemSetting>[2] & Pick<SettingTarget, 'context'>,
): Promise<void> {
  if (context === null) await setSystemSetting(tx, prefix, setting);
  else await setContextSetting(tx, prefix, { ...setting, contextKey: context });
}

function checkIsNotManaged(key: SettingKey): void {
  const { managedBy } = settingDefinition(key);
  if (managedBy !== null) throw new AppError('refused', { message: `${key} is changed by ${managedBy} only` });
}

/** A list of records can be removed as a whole only when it cannot be read. */
async function checkRemovable({ content, prefix }: Store, key: SettingKey): Promise<void> {
  const [row] = await readSystemSettings(content.primary, prefix, [key]);
  if (row === undefined || parseSetting(key, row.value).ok) checkIsNotManaged(key);
}

/** Settings that are unsafe together, or name one address, are refused in either order. */
const setTogether: readonly (readonly SettingKey[])[] = [
  ['gateway_cors_allowed_origins', 'gateway_cors_allow_credentials'],
  addressSettings,
];

async function checkTogether(
  tx: Tx,
  prefix: string,
  { key, value, env }: { readonly key: SettingKey; readonly value: string; readonly env: Environment },
): Promise<void> {
  const keys = setTogether.find((group) => group.includes(key));
  if (keys === undefined) return;
  const others = (await readSystemSettings(tx, prefix, keys)).filter((row) => row.key !== key);
  for (const environment of [env, {}]) {
    const { problems } = effectiveSettings([...others, { key, value }], environment);
    const found = problems.find(({ unsafe, clashes }) => unsafe === true || clashes === true);
    if (found !== undefined) throw invalidField(key, found.problem);
  }
}

const contextSettings: readonly SettingKey[] = ['gateway_context', 'gateway_allowed_contexts'];

/** Throws validation_failed with the contexts that exist. */
async function checkContexts(
  tx: Tx,
  prefix: string,
  { key, value }: { readonly key: SettingKey; readonly value: string },
): Promise<void> {
  if (!contextSettings.includes(key)) return;
  const known = await readContextKeys(tx, prefix);
  const missing = value.split(',').filter((context) => !known.includes(context));
  if (missing.length === 0) return;
  throw invalidField(key, `${key} must name contexts of this site (${known.join(', ')}), not ${missing.join(', ')}`);
}

/** Throws not_found for an unknown key. */
export async function removeSetting(
  store: Store,
  asked: SettingTarget & { readonly env: Environment },
): Promise<SettingChange & { readonly wasSet: boolean }> {
  const { key, context } = asked;
  if (isSettingKey(key)) {
    await checkContextOf(store, key, context);
    await checkRemovable(store, key);
  } else {
    const { own, system } = await readForeign(store, asked);
    if (!own && !system) throw await unknownKey(store, key);
  }
  const wasSet = await writeRaising(store, (tx) =>
    context === null
      ? unsetSystemSetting(tx, store.prefix, key)
      : unsetContextSetting(tx, store.prefix, { key, contextKey: context }),
  );
  return { ...(await changeOf(store, asked)), wasSet };
}

async function changeOf(store: Store, asked: SettingTarget & { readonly env: Environment }) {
  const { key, context } = asked;
  if (!isSettingKey(key)) {
    const { own, system } = await readForeign(store, { key, context });
    const row = own ?? system;
    const source = own ? 'context' : 'database';
    return { view: row ? viewOfForeign(row, { source, secrets: 'masked' }) : null, lockedBy: null, isForeign: true };
  }
  const { setting: view } = await readSetting(store, { ...asked, secrets: 'masked' });
  // The variable that overrides the stored value in this environment.
  const lockedBy = view.source === 'environment' ? variableOf(key) : null;
  return { view, lockedBy, isForeign: false };
}

/** A secret whose form no other program reads is stored as a digest or encrypted. */
async function keptText(
  store: Store,
  { key, value, rootSecret }: { readonly key: SettingKey; readonly value: string; readonly rootSecret: string | null },
): Promise<string> {
  const { kept } = settingDefinition(key);
  if (kept === 'clear' || value === '') return value;
  if (kept === 'digest') return readKeptKey(value).digest === null ? formatKeptKey(value) : value;
  return isSealed(value) ? value : (await openWebhookSealer(store, rootSecret)).seal(value);
}

function storedText(key: SettingKey, text: string): string {
  const parsed = parseSetting(key, text);
  if (parsed.ok) return formatSetting(key, parsed.value);
  throw invalidField(key, `${key} ${safeProblem(key, parsed.problem)}`);
}

function flagText(key: string, text: string): string {
  const parsed = booleanValue.parse(text);
  if (!parsed.ok) throw invalidField(key, `${key} ${parsed.problem}`);
  return booleanValue.format(parsed.value);
}
