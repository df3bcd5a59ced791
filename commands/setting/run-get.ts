/** Reads one setting for `hcd setting get`. */
import { readSetting, secretMask } from '../../src/content/settings/settings.js';
import type { Deps } from '../deps.js';
import type { RecordResult } from '../result.js';
import { openReady } from '../store/open-ready.js';
import { problemNotes } from './notes.js';

export interface GetOptions {
  readonly key: string;
  readonly context: string | undefined;
  readonly showSecret: boolean;
}

export async function runGet({ key, context, showSecret }: GetOptions, deps: Deps): Promise<RecordResult> {
  const found = await readSetting(await openReady(deps), {
    key,
    context: context ?? null,
    env: deps.env,
    secrets: showSecret ? 'shown' : 'masked',
  });
  const isMasked = !showSecret && found.setting.value === secretMask;
  return {
    kind: 'record',
    record: { ...found.setting },
    notes: [...problemNotes(found), ...(isMasked ? ['The value is masked; --show-secret shows it.'] : [])],
  };
}
