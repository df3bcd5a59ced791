/** Reads one element for `hcd element show`. */

import { findElement } from '../../src/content/administration/browse-content.js';
import { openAdministration } from '../../src/content/live/administrator.js';
import { showIntent } from '../content/query-flags.js';
import type { Deps } from '../deps.js';
import type { RecordResult } from '../result.js';
import { openReady } from '../store/open-ready.js';
import type { ElementKind } from './kinds.js';

export interface ShowOptions {
  readonly kind: ElementKind;
  /** Id or name. */
  readonly element: string;
  readonly fields: readonly string[] | undefined;
}

export async function runShow({ kind, element, fields }: ShowOptions, deps: Deps): Promise<RecordResult> {
  const intent = showIntent({ fields });
  const admin = await openAdministration(await openReady(deps), deps);
  const record = await findElement(admin, { ...kind, idOrName: element, intent });
  return { kind: 'record', record };
}
