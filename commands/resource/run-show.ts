/** Reads one resource for `hcd resource show`. */

import { readContent } from '../../src/content/administration/browse-content.js';
import { openAdministration } from '../../src/content/live/administrator.js';
import { AppError } from '../../src/errors/app-error.js';
import { showIntent } from '../content/query-flags.js';
import type { Deps } from '../deps.js';
import type { RecordResult } from '../result.js';
import { openReady } from '../store/open-ready.js';

export interface ShowOptions {
  readonly id: number;
  readonly tvs: boolean;
  readonly fields: readonly string[] | undefined;
}

export async function runShow({ id, tvs, fields }: ShowOptions, deps: Deps): Promise<RecordResult> {
  const intent = showIntent({ fields, tvs });
  const admin = await openAdministration(await openReady(deps), deps);
  const record = await readContent(admin, { object: 'resources', key: id, intent }).catch((error: unknown) => {
    throw nameMissing(error, id);
  });
  return { kind: 'record', record };
}

/** Says which resource is missing; other errors come back as they are. */
export function nameMissing(error: unknown, id: number): unknown {
  const isMissing = error instanceof AppError && error.code === 'not_found';
  return isMissing ? new AppError('not_found', { message: `There is no resource ${id}`, cause: error }) : error;
}
