/**
 * Runs after each test file: removes its databases and directories, then fails the file when it left a server, a
 * connection, a child process or a SQLite file open.
 */
import { readdirSync, readlinkSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { afterAll } from 'vitest';
import { closeAll } from './at-file-end.js';
import { removeDatabases } from './databases.js';
import { stopRedisServers } from './redis-server.js';
import { removeTempDirs } from './temp-dir.js';

const watched = ['TCPServerWrap', 'TCPSocketWrap', 'ProcessWrap', 'MessagePort'];
const atStart = countResources();

// Registered before any hook of the file, so it runs after all of them.
afterAll(async () => {
  await closeAll();
  await removeDatabases();
  await stopRedisServers();
  const leaks = await waitForRelease();
  await removeTempDirs();
  if (leaks.length > 0) throw new Error(`this test file left open: ${leaks.join(', ')}`);
});

/** What is still open once closing had time to finish: a socket needs some turns after close() returned. */
async function waitForRelease(): Promise<string[]> {
  const deadline = performance.now() + 15_000;
  let leaks = findLeaks();
  while (leaks.length > 0 && performance.now() < deadline) {
    await setTimeout(20);
    leaks = findLeaks();
  }
  return leaks;
}

function findLeaks(): string[] {
  const now = countResources();
  const resources = watched.flatMap((kind) => {
    const more = (now.get(kind) ?? 0) - (atStart.get(kind) ?? 0);
    return more > 0 ? [`${more} ${kind}`] : [];
  });
  return [...resources, ...openSqliteFiles()];
}

function countResources(): Map<string, number> {
  const counts = new Map<string, number>();
  for (const kind of process.getActiveResourcesInfo()) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return counts;
}

/** SQLite handles are no resources of the event loop; on Linux the process's file table shows them. */
function openSqliteFiles(): string[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc/self/fd').flatMap((descriptor) => {
    try {
      const target = readlinkSync(`/proc/self/fd/${descriptor}`);
      return /\.sqlite( \(deleted\))?$/.test(target) ? [target] : [];
    } catch {
      return [];
    }
  });
}
