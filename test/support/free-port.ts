/** Ports for servers that need one given. */
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * A free port of 127.0.0.1. It lies below the range from which systems assign ports, so no other process gets it by
 * chance before the server is up.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_000, 32_000);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
