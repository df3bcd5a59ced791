/** Whether a server could listen on an address now. */
import { createServer } from 'node:net';

export interface Place {
  readonly host: string;
  readonly port: number;
}

/** False where another program listens, or the port may not be used; every other fault is left to the server itself. */
export function canListen({ host, port }: Place): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) =>
      resolve(error.code !== 'EADDRINUSE' && error.code !== 'EACCES'),
    );
    probe.listen({ host, port }, () => probe.close(() => resolve(true)));
  });
}
