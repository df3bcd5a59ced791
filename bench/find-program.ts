/** Finds installed programs, also where system programs live outside PATH. */
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Path of the program; undefined when absent. */
export function findProgram(name: string): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin', '/usr/bin'];
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}

/** Words to put in front of a command line to keep it on one core; none where cores cannot be chosen. */
export function pinTo(core: number): readonly string[] {
  const taskset = findProgram('taskset');
  return taskset === undefined ? [] : [taskset, '-c', String(core)];
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
