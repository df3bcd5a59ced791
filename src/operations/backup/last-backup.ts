/** When `hcd backup` last wrote a backup of a store, for `hcd doctor`. */
import { type Database, type Reader, repeatable } from '../../store/base/database.js';
import { readState, writeState } from '../../store/state/state.js';

const stateKey = 'last_backup';

interface LastBackup {
  readonly takenOn: number;
  /** On the machine that took it; null for standard output. */
  readonly file: string | null;
}

export function recordBackup(own: Database, backup: LastBackup): Promise<void> {
  return own.write((tx) => writeState(tx, stateKey, JSON.stringify(backup)), repeatable);
}

export async function readLastBackup(reader: Reader): Promise<LastBackup | null> {
  const value: unknown = JSON.parse((await readState(reader, stateKey)) ?? 'null');
  if (typeof value !== 'object' || value === null) return null;
  const { takenOn, file }: { takenOn?: unknown; file?: unknown } = value;
  return typeof takenOn === 'number' ? { takenOn, file: typeof file === 'string' ? file : null } : null;
}
