/** Reads and writes presets for `hcd preset`. */

import { addPreset, listPresets, readPreset, removePreset } from '../../src/banners/management/presets.js';
import type { Preset } from '../../src/banners/rules/preset.js';
import { decodeJson } from '../banner/banner-json.js';
import { bodyOf, type WriteFlags } from '../banner/field-flags.js';
import { defaultLimit, type PartFlags } from '../banner/parameters.js';
import { confirmChange } from '../confirm.js';
import type { Deps } from '../deps.js';
import type { DoneResult, JsonRecord, ListResult, RecordResult } from '../result.js';
import { openReady } from '../store/open-ready.js';

const username = 'cli';

export async function runList({ limit = defaultLimit, offset = 0 }: PartFlags, deps: Deps): Promise<ListResult> {
  const { presets, total } = await listPresets(await openReady(deps), { limit, offset });
  const isSilentlyCut = offset + presets.length < total && !deps.flags.json && !deps.io.stdout.isTerminal;
  return {
    kind: 'list',
    columns: ['id', 'name', 'type', 'tpl', 'fields'],
    rows: presets.map(presetRecord),
    total,
    empty: 'There is no preset. Make one: hcd preset add NAME',
    notes: isSilentlyCut ? [`${presets.length} of ${total} shown.`] : [],
  };
}

export type AddOptions = WriteFlags & {
  readonly name: string;
  readonly type: string | undefined;
  readonly tpl: string | undefined;
};

export async function runAdd(
  { name, type = 'image', tpl = '', ...flags }: AddOptions,
  deps: Deps,
): Promise<RecordResult> {
  const defaults = await bodyOf(flags, deps);
  const preset = await addPreset(await openReady(deps), { name, type, tpl, defaults, username });
  const notes = [`Make a banner from it: hcd banner add --preset ${preset.id} --positions LIST`];
  return {
    kind: 'record',
    record: presetRecord(preset),
    fields: ['id', 'name', 'type', 'tpl', 'defaults_data'],
    notes,
  };
}

export async function runRemove({ preset: text }: { readonly preset: string }, deps: Deps): Promise<DoneResult> {
  const store = await openReady(deps);
  const { id, name } = await readPreset(store, presetSelector(text));
  await confirmChange(deps, `Remove preset ${id} "${name}" for good?`);
  await removePreset(store, { id, username });
  return { kind: 'done', message: `Removed preset ${id} "${name}".`, data: { id, removed: true } };
}

/** By id or by name, as somebody types it. */
export function presetSelector(text: string): { readonly id: number } | { readonly name: string } {
  return /^[1-9]\d{0,9}$/.test(text) ? { id: Number(text) } : { name: text };
}

/** The names of the table's columns, and for lists which fields there are. */
function presetRecord({ id, name, type, tpl, defaults_data }: Preset): JsonRecord {
  return { id, name, type, tpl, defaults_data: decodeJson(defaults_data), fields: Object.keys(defaults_data) };
}
