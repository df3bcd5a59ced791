/** Checks the port of the next server before credentials are printed. */
import { AppError } from '../../src/errors/app-error.js';
import type { Deps } from '../deps.js';
import type { Place } from '../listen-check.js';

/** Ports that are tried for a free one. */
const tried = 20;

/** Throws refused, with a free port by name, where a server could not listen. */
export async function checkPort(deps: Deps, { host, port }: Place): Promise<void> {
  if (port === 0 || (await deps.canListen({ host, port }))) return;
  const free = await nextFree(deps, { host, port });
  const way = free === null ? 'one that is free' : `for example ${free}, which is free`;
  throw new AppError('refused', {
    message: `Port ${port} of ${host} is in use, so the server could not start. Stop the program that listens there, or set HCD_PORT to another port (${way}). Nothing was loaded, and no key was created`,
  });
}

async function nextFree(deps: Deps, { host, port }: Place): Promise<number | null> {
  for (let next = port + 1; next <= Math.min(port + tried, 65_535); next += 1) {
    if (await deps.canListen({ host, port: next })) return next;
  }
  return null;
}
