/** Which commands Studio offers, and which of them only read. */

/** They run until they are stopped, need a terminal, or set up what Studio itself runs on. */
const notOffered: ReadonlySet<string> = new Set([
  ...['init', 'demo', 'restore', 'serve', 'worker', 'mcp', 'webhook listen', 'studio', 'completion', 'help'],
]);

/** Flags with which a command does not end. */
const notOfferedFlags: ReadonlySet<string> = new Set(['watch']);

const readingVerbs: ReadonlySet<string> = new Set([
  ...['list', 'show', 'get', 'tree', 'history', 'diff', 'stats', 'audit', 'events', 'status', 'doctor', 'explain'],
  ...['openapi', 'types', 'export'],
]);

export function isOffered(path: string): boolean {
  return !notOffered.has(path);
}

export function isOfferedFlag(name: string): boolean {
  return !notOfferedFlags.has(name);
}

/** What `--read-only` leaves. */
export function isReading(path: string): boolean {
  return readingVerbs.has(path.slice(path.lastIndexOf(' ') + 1));
}
