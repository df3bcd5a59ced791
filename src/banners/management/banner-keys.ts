/** The keys of the banner API, which are settings (docs/banners.md#keys); changes take turns on the row of the key. */
import { decodeReadKey, formatReadKey } from '../../config/banner-settings.js';
import { type Environment, readVariable, variableOf } from '../../config/definitions.js';
import { effectiveSettings, formatSetting, parseSetting, type SettingKey } from '../../config/settings.js';
import type { LiveState } from '../../content/live/live-state.js';
import { lockSystemSetting, readSystemSettings, setSystemSetting } from '../../content/models/settings.js';
import { randomBase62, secretLetters } from '../../crypto/credential-text.js';
import { randomHex, sha256Hex } from '../../crypto/primitives.js';
import { AppError, invalidField } from '../../errors/app-error.js';
import type { Log } from '../../log/observation.js';
import type { Tx } from '../../store/base/database.js';
import type { Store } from '../../store/open/open.js';
import { writeRaising } from '../../store/state/state.js';

type KeyStore = Pick<Store, 'content' | 'own' | 'prefix'>;

const keySettings = [
  'banners_api_key',
  'banners_api_key_previous',
  'banners_api_key_previous_ends',
  'banners_api_read_keys',
] as const satisfies readonly SettingKey[];

/** Creates a key unless one is stored or in the environment; null if this call, or another process, created none. */
export async function ensureBannerKey(store: KeyStore, env: Environment): Promise<string | null> {
  const rows = await readSystemSettings(store.content.primary, store.prefix, ['banners_api_key']);
  if (effectiveSettings(rows, env).values.banners_api_key !== '' || isLocked(env, 'banners_api_key')) return null;
  const key = randomHex(16);
  const stored = await writeRaising(store, async (tx) => {
    const known = await lockSystemSetting(tx, store.prefix, { key: 'banners_api_key', initial: key });
    // An invalid value would refuse every request, so it counts as absent.
    if (known !== '' && parseSetting('banners_api_key', known).ok) return known;
    await set(tx, store.prefix, { key: 'banners_api_key', value: key });
    return key;
  });
  return stored === key ? key : null;
}

export async function readBannerKeys(
  { content, prefix }: KeyStore,
  { env, now }: { readonly env: Environment; readonly now: number },
) {
  const { values, sources } = effectiveSettings(await readSystemSettings(content.primary, prefix, keySettings), env);
  const { banners_api_key_previous: previous, banners_api_key_previous_ends: ends } = values;
  return {
    key: values.banners_api_key === '' ? null : values.banners_api_key,
    isLocked: sources.banners_api_key === 'environment',
    /** The key before the last rotation, until its overlap ends. */
    previous: previous === '' || ends === null || ends * 1000 <= now ? null : { key: previous, endsOn: ends },
    readKeys: values.banners_api_read_keys.map((one) => decodeReadKey(one).name),
  };
}

/** Without overlap the old key ends immediately. Throws refused where the environment sets the key. */
export async function rotateBannerKey(
  store: KeyStore,
  asked: { readonly env: Environment; readonly overlapSeconds: number | null; readonly now: number },
) {
  const { env, overlapSeconds, now } = asked;
  for (const key of keySettings.slice(0, 3)) checkNotLocked(env, key);
  const key = randomHex(16);
  const ends = overlapSeconds === null ? null : Math.floor(now / 1000) + overlapSeconds;
  await writeRaising(store, async (tx) => {
    const before = await lockSystemSetting(tx, store.prefix, { key: 'banners_api_key', initial: '' });
    // After a commit with an unknown outcome it may exist already.
    if (before === key) return;
    const hasOverlap = ends !== null && before !== '';
    await set(tx, store.prefix, { key: 'banners_api_key', value: key });
    await set(tx, store.prefix, { key: 'banners_api_key_previous', value: hasOverlap ? before : '' });
    await set(tx, store.prefix, {
      key: 'banners_api_key_previous_ends',
      value: formatSetting('banners_api_key_previous_ends', hasOverlap ? ends : null),
    });
  });
  /** Unix seconds until which the old key works too; null = it has ended. */
  return { key, previousEndsOn: ends };
}

/** The key is shown once. Throws validation_failed for the name, conflict when it is taken. */
export async function addReadKey(
  store: KeyStore,
  { env, name }: { readonly env: Environment; readonly name: string },
): Promise<{ readonly name: string; readonly key: string }> {
  if (!/^[a-z0-9][a-z0-9_-]{0,39}$/.test(name)) {
    throw invalidField('name', 'must be 1 to 40 characters of a-z, 0-9, _ and -');
  }
  // 43 letters and digits carry 256 bits.
  const key = `br_${randomBase62(secretLetters)}`;
  const element = formatReadKey({ name, digest: sha256Hex(key) });
  await changeReadKeys(store, env, (elements) => {
    if (elements.includes(element)) return elements;
    if (elements.some((one) => decodeReadKey(one).name === name)) {
      throw new AppError('conflict', { message: `There is a key ${name} already: remove it first` });
    }
    return [...elements, element];
  });
  return { name, key };
}

/** Throws not_found. */
export async function removeReadKey(
  store: KeyStore,
  { env, name }: { readonly env: Environment; readonly name: string },
): Promise<void> {
  await changeReadKeys(store, env, (elements) => {
    const left = elements.filter((one) => decodeReadKey(one).name !== name);
    if (left.length === elements.length) throw new AppError('not_found', { message: `There is no key ${name}` });
    return left;
  });
}

async function changeReadKeys(
  store: KeyStore,
  env: Environment,
  change: (elements: readonly string[]) => readonly string[],
): Promise<void> {
  const key = 'banners_api_read_keys';
  checkNotLocked(env, key);
  await writeRaising(store, async (tx) => {
    const stored = await lockSystemSetting(tx, store.prefix, { key, initial: '' });
    const { values, problems } = effectiveSettings([{ key, value: stored }], {});
    // Continuing with an empty list would end every key.
    if (problems.length > 0)
      throw new AppError('refused', { message: `The setting ${key} cannot be read: correct it` });
    await set(tx, store.prefix, { key, value: formatSetting(key, change(values.banners_api_read_keys)) });
  });
}

function checkNotLocked(env: Environment, key: SettingKey): void {
  if (!isLocked(env, key)) return;
  throw new AppError('refused', {
    message: `${variableOf(key)} is set in this environment and wins over what is stored: unset it first`,
  });
}

function isLocked(env: Environment, key: SettingKey): boolean {
  return readVariable(env, variableOf(key)) !== undefined;
}

function set(tx: Tx, prefix: string, setting: { readonly key: SettingKey; readonly value: string }): Promise<void> {
  return setSystemSetting(tx, prefix, { ...setting, kind: 'text' });
}

export async function keepBannerKey(
  store: KeyStore,
  { env, live, log }: { readonly env: Environment; readonly live: LiveState; readonly log: Log },
): Promise<void> {
  const make = async (): Promise<void> => {
    const { values } = live.current().settings;
    if (!values.banners_api_enabled || values.banners_api_key !== '') return;
    if ((await ensureBannerKey(store, env)) !== null) await live.refresh();
  };
  const report = (error: unknown): void =>
    log({ kind: 'unexpected_error', during: 'making the key of the banner API', error });
  live.onChange(() => void make().catch(report));
  await make();
}
