/** The alias of a resource (storage.md 2.2 to 2.4): always cleaned, made from the page title where none is given. */
import { cleanAlias } from '../../content/alias.js';
import type { UriSettings } from '../../content/uri.js';

export interface DecidedAlias {
  readonly alias: string;
  /** Made from the page title. */
  readonly isAutomatic: boolean;
  readonly problem: string | null;
}

export function decideAlias(asked: string, pagetitle: string, settings: UriSettings): DecidedAlias {
  const given = cleanAlias(asked.trim(), settings.alias);
  if (given !== '') return { alias: given, isAutomatic: false, problem: null };
  const made = settings.automaticAlias ? cleanAlias(pagetitle, settings.alias) : '';
  if (made !== '' || !settings.friendlyUrls) return { alias: made, isAutomatic: made !== '', problem: null };
  const why = settings.automaticAlias
    ? 'neither it nor the page title has characters that an alias may have'
    : 'it is required';
  return { alias: '', isAutomatic: false, problem: `must have characters that an alias may have: ${why}` };
}
