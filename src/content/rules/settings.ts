/** Reads the CMS's text settings as switches, numbers and texts (docs/reference/storage.md#stored-values). */

export type ContentSettings = ReadonlyMap<string, string | null>;

export function textSetting(settings: ContentSettings, key: string, fallback: string): string {
  return settings.get(key) ?? fallback;
}

/** The installer writes false as an empty text, the manager as `0`. PHP reads `false` as true, editors do not. */
export function flagSetting(settings: ContentSettings, key: string, fallback: boolean): boolean {
  const text = settings.get(key);
  if (text === undefined || text === null) return fallback;
  return !['', '0', 'false', 'no', 'off'].includes(text.trim().toLowerCase());
}

/** As PHP's integer cast reads it: leading digits count, anything else is 0. */
export function integerSetting(settings: ContentSettings, key: string, fallback: number): number {
  const text = settings.get(key);
  if (text === undefined || text === null) return fallback;
  const digits = /^\s*[+-]?\d{1,15}/.exec(text);
  return digits ? Number(digits[0]) : 0;
}
