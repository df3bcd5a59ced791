/**
 * The keys of the banner API that may only read, as the setting `banners_api_read_keys` keeps them: names and digests,
 * never the keys themselves.
 */
import { accept, refuse } from '../values/checked.js';
import { listValue, refusal, type ValueType } from './value-type.js';

interface ReadKey {
  /** Names the key in lists, logs and its rate limit. */
  readonly name: string;
  /** SHA-256 of the key in hexadecimal. */
  readonly digest: string;
}

const form = /^([a-z0-9][a-z0-9_-]{0,39}):([0-9a-f]{64})$/;

const elementAccepts = 'a name of a-z, 0-9, _ and -, a colon, and the SHA-256 of the key as 64 hexadecimal digits';

const element: ValueType<string> = {
  kind: 'text',
  accepts: elementAccepts,
  parse: (text) => (form.test(text) ? accept(text) : refusal(elementAccepts, text)),
  format: (text) => text,
};

const list = listValue(element);

/** The list as its texts; each name occurs once. */
export const readKeysValue: ValueType<readonly string[]> = {
  ...list,
  parse(text) {
    const parsed = list.parse(text);
    if (!parsed.ok) return parsed;
    const names = parsed.value.map((one) => decodeReadKey(one).name);
    if (new Set(names).size === names.length) return parsed;
    return refuse('must not name a key twice');
  },
};

/** One element of the setting, which has been accepted. */
export function decodeReadKey(text: string): ReadKey {
  const [, name = '', digest = ''] = form.exec(text) ?? [];
  return { name, digest };
}

/** The element for one key. */
export function formatReadKey({ name, digest }: ReadKey): string {
  return `${name}:${digest}`;
}
