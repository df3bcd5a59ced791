/** Where the servers of this machine that run now can be asked. */
import { hostname } from 'node:os';
import type { Reader } from '../../store/base/database.js';
import { type InterfaceName, readAlive } from '../models/processes.js';

/** The address of a server that serves the interface; undefined where none of this machine does. */
type RunningServers = (name: InterfaceName) => string | undefined;

/** A server at the configured address comes first, then the one that started last: older ones may have been killed. */
export async function readRunningServers(reader: Reader, configured: string): Promise<RunningServers> {
  const here = recordedHost();
  const servers = (await readAlive(reader)).filter(({ role, host }) => role === 'server' && host === here).toReversed();
  return (name) => {
    const serving = servers.filter(({ apis }) => apis.includes(name));
    return (serving.find(({ url }) => url === configured) ?? serving[0])?.url;
  };
}

/** The name of this machine as rows have it. */
export function recordedHost(): string {
  return hostname().slice(0, 190);
}
