/** Reads settings for `hcd setting list`. */
import type { ApiName } from '../../src/config/setting-definitions.js';
import { listApiSettings, listForeignSettings, type SettingView } from '../../src/content/settings/settings.js';
import type { Deps } from '../deps.js';
import type { JsonRecord, ListResult } from '../result.js';
import { openReady } from '../store/open-ready.js';
import { usageError } from '../usage-error.js';
import { problemNotes } from './notes.js';

export interface ListOptions {
  readonly api: ApiName | undefined;
  readonly changed: boolean;
  readonly all: boolean;
  readonly context: string | undefined;
}

const columns = ['key', 'value', 'source', 'default'];

export async function runList(options: ListOptions, deps: Deps): Promise<ListResult> {
  const { api, changed, all, context } = options;
  checkCombination(options);
  const store = await openReady(deps);
  if (context !== undefined) {
    const settings = await listForeignSettings(store, context);
    const empty = `The context ${context} has no settings of its own.`;
    return { kind: 'list', columns, rows: settings.map(rowOf), empty };
  }
  const ours = await listApiSettings(store, { env: deps.env, api: api ?? null, onlyChanged: changed });
  const foreign = all ? await listForeignSettings(store, null) : [];
  return {
    kind: 'list',
    columns,
    rows: [...ours.settings, ...foreign].map(rowOf),
    empty: 'Every setting has its default.',
    notes: problemNotes(ours),
  };
}

/** --api and --changed are about our settings, which no context has. */
function checkCombination({ api, changed, all, context }: ListOptions): void {
  const ours = [...(api === undefined ? [] : ['--api']), ...(changed ? ['--changed'] : [])];
  if (context !== undefined && (all || ours.length > 0)) {
    throw usageError({ '--context': `cannot be combined with ${[...ours, ...(all ? ['--all'] : [])].join(', ')}` });
  }
  if (all && ours.length > 0) throw usageError({ '--all': `cannot be combined with ${ours.join(', ')}` });
}

function rowOf(view: SettingView): JsonRecord {
  return { ...view };
}
