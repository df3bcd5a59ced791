/** What people should know beside the settings that are shown or after one was changed. */
import type { SettingChange } from '../../src/operations/settings/change-setting.js';
import type { Store } from '../../src/store/open/open.js';

/** Stored values that count for nothing. */
export function problemNotes({ problems }: { readonly problems: readonly string[] }): string[] {
  return problems.map((problem) => `${problem}; this value is ignored.`);
}

export function changeNotes({ kind }: Pick<Store, 'kind'>, { lockedBy, isForeign }: SettingChange): string[] {
  const locked = `${lockedBy} is set in this environment and wins over the stored value.`;
  // The CMS keeps settings in files of its own and reads them again only when its cache is cleared.
  const cached = 'The content system itself sees the change when its cache is cleared.';
  return [...(lockedBy === null ? [] : [locked]), ...(isForeign && kind === 'attached' ? [cached] : [])];
}
