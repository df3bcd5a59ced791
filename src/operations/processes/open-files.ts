/** The limit of open files of a process, and the connections that it leaves room for. */
import { readdirSync, readFileSync } from 'node:fs';

/** For the admin listener, files, and later connections to the database and to receivers. */
const spareFiles = 64;
const filesOfReplica = 12;
const usualFiles = 48;

function limitOfOpenFiles(): number | null {
  try {
    const soft = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
    if (soft !== undefined) return Number(soft);
  } catch {
    // Not Linux.
  }
  const report: unknown = process.report?.getReport();
  const limits = typeof report === 'object' && report !== null ? Reflect.get(report, 'userLimits') : undefined;
  const soft = limits?.open_files?.soft;
  return typeof soft === 'number' ? soft : null;
}

function openFiles(): number {
  try {
    return readdirSync('/proc/self/fd').length;
  } catch {
    return usualFiles;
  }
}

/** Null where files are not limited; below 1 connection where no files are left. */
export function roomForConnections(replicas: number) {
  const limit = limitOfOpenFiles();
  if (limit === null) return null;
  return { limit, connections: limit - openFiles() - spareFiles - replicas * filesOfReplica };
}
