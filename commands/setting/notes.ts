/** Notes on settings that are shown or were changed. */
import type { SettingChange } from '../../src/operations/settings/change-setting.js';
import type { Store } from '../../src/store/open/open.js';

/** Stored values that are ignored. */
export function problemNotes({ problems }: { readonly problems: readonly string[] }): string[] {
  return problems.map((problem) => `${problem}; the value is ignored.`);
}

export function changeNotes({ kind }: Pick<Store, 'kind'>, { lockedBy, isForeign }: SettingChange): string[] {
  const locked = `${lockedBy} is set in this environment and overrides the stored value.`;
  // The CMS keeps settings in files of its own and reads them again only when its cache is cleared.
  const cached = 'The content system uses the new value after its cache is cleared.';
  return [...(lockedBy === null ? [] : [locked]), ...(isForeign && kind === 'attached' ? [cached] : [])];
}
