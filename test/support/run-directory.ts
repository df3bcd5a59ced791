/**
 * Where a run keeps its databases and other temporary files: in memory where the machine has it to spare. What the tests
 * write is thrown away, and waiting for a disk to keep it was most of what a new database cost.
 */
import { mkdirSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';

const memory = '/dev/shm';
const prefix = 'hcd-tests-';
/** A run keeps up to 0.7 GB at a time. */
const neededBytes = 2 * 1024 ** 3;

/** Makes it and has everything in this process and its children that asks for a temporary directory use it. */
export function makeRunDirectory(): { remove(): void } {
  const parent = hasMemory() ? memory : tmpdir();
  removeLeftOvers(parent);
  const directory = join(parent, `${prefix}${process.pid}`);
  mkdirSync(directory, { recursive: true });
  process.env['TMPDIR'] = directory;
  return { remove: () => rmSync(directory, { recursive: true, force: true, maxRetries: 3 }) };
}

function hasMemory(): boolean {
  if (process.env['HCD_TEST_ON_DISK'] === '1') return false;
  try {
    const { bavail, bsize } = statfsSync(memory);
    return bavail * bsize >= neededBytes && freemem() >= 2 * neededBytes;
  } catch {
    return false;
  }
}

/** A run that was killed removed nothing. */
function removeLeftOvers(parent: string): void {
  for (const name of readdirSync(parent)) {
    const pid = name.startsWith(prefix) ? Number(name.slice(prefix.length)) : Number.NaN;
    if (Number.isInteger(pid) && !isRunning(pid)) rmSync(join(parent, name), { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
