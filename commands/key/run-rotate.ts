/** Gives a key a new secret for `hcd key rotate`. */
import type { ApiKeySelector } from '../../src/identity/keys/key-view.js';
import { rotateKey } from '../../src/identity/keys/rotate-key.js';
import { confirmChange } from '../confirm.js';
import type { Deps } from '../deps.js';
import type { RecordResult } from '../result.js';
import { openReady } from '../store/open-ready.js';
import { isoTime, issuedRecord } from './key-record.js';

export interface RotateOptions {
  readonly id: ApiKeySelector;
  /** Seconds. */
  readonly overlap: number | undefined;
}

export async function runRotate({ id, overlap = 0 }: RotateOptions, deps: Deps): Promise<RecordResult> {
  const store = await openReady(deps);
  if (overlap === 0)
    await confirmChange(deps, 'End the old secret of the key at once? --overlap lets both work for a while.');
  const { key, previousEndsOn } = await rotateKey(store, {
    selector: id,
    overlap: overlap * 1000,
    now: deps.clock.now(),
  });
  return {
    kind: 'record',
    record: issuedRecord(key),
    notes: [
      'The key is shown only now: store it where its client reads its secrets.',
      previousEndsOn === null
        ? 'The old secret stops working within one second.'
        : `The old secret works until ${isoTime(previousEndsOn)}.`,
    ],
  };
}
