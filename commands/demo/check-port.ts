/** Looks at the port of the next server before credentials are printed that nothing would take. */
import { AppError } from '../../src/errors/app-error.js';
import type { Deps } from '../deps.js';
import type { Place } from '../listen-check.js';

/** Ports that are tried for a free one. */
const tried = 20;

/** Throws refused, with a free port by name, where a server could not listen. */
export async function checkPort(deps: Deps, { host, port }: Place): Promise<void> {
  if (port === 0 || (await deps.canListen({ host, port }))) return;
  const free = await nextFree(deps, { host, port });
  const way = free === null ? 'name a free one' : `${free} is free, for example`;
  throw new AppError('refused', {
    message: `Port ${port} of ${host} is taken, and the server could not start: end the program that listens there, or choose another port with HCD_PORT (${way}). Nothing was loaded, and no key was made`,
  });
}

async function nextFree(deps: Deps, { host, port }: Place): Promise<number | null> {
  for (let next = port + 1; next <= Math.min(port + tried, 65_535); next += 1) {
    if (await deps.canListen({ host, port: next })) return next;
  }
  return null;
}
