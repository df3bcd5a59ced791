/** Changes one setting for `hcd setting set`. */
import { changeSetting } from '../../src/operations/settings/change-setting.js';
import type { Deps } from '../deps.js';
import type { DoneResult } from '../result.js';
import { openReady } from '../store/open-ready.js';
import { changeNotes } from './notes.js';

export interface SetOptions {
  readonly key: string;
  readonly value: string;
  readonly context: string | undefined;
  readonly force: boolean;
}

export async function runSet({ key, value, context, force }: SetOptions, deps: Deps): Promise<DoneResult> {
  const store = await openReady(deps);
  const asked = {
    key,
    context: context ?? null,
    text: value,
    env: deps.env,
    force,
    rootSecret: deps.loadConfig().config.secret,
  };
  const change = await changeSetting(store, asked);
  const place = context === undefined ? '' : ` in the context ${context}`;
  return {
    kind: 'done',
    message: `${key} is set${place}.`,
    data: change.view === null ? null : { ...change.view },
    notes: changeNotes(store, change),
  };
}
