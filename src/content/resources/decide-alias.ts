/**
 * The alias of a resource (docs/reference/storage.md#aliases): always cleaned, made from the page title where none is
 * given.
 */
import { cleanAlias, isEmptyAlias } from '../rules/alias.js';
import type { UriSettings } from '../rules/uri.js';

export interface DecidedAlias {
  readonly alias: string;
  /** Made from the page title. */
  readonly isAutomatic: boolean;
  readonly problem: string | null;
}

export function decideAlias(asked: string, pagetitle: string, settings: UriSettings): DecidedAlias {
  const given = cleanAlias(asked.trim(), settings.alias);
  if (!isEmptyAlias(given)) return { alias: given, isAutomatic: false, problem: null };
  const made = settings.automaticAlias ? cleanAlias(pagetitle, settings.alias) : '';
  if (!isEmptyAlias(made)) return { alias: made, isAutomatic: true, problem: null };
  return { alias: '', isAutomatic: false, problem: settings.friendlyUrls ? problemOf(given || made, settings) : null };
}

function problemOf(left: string, { automaticAlias }: UriSettings): string {
  if (left === '0') return 'must not be "0", which counts as empty';
  const why = automaticAlias ? 'neither it nor the page title has characters that an alias may have' : 'it is required';
  return `must have characters that an alias may have: ${why}`;
}
