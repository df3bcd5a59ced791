/** Stands between a program and MariaDB and cuts the connection in the middle of a COMMIT, so that its outcome is unknown. */
import { connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** Passes bytes on to a server; once armed, cuts the client off when it sends COMMIT, before or after the server got it. */
export async function cuttingProxy(options: { port: number; forwarded: boolean }) {
  let armed = false;
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(options.port, '127.0.0.1');
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
    }
    client.on('close', () => upstream.end());
    upstream.on('close', () => client.destroy());
    let cut = false;
    client.on('data', (chunk: Buffer) => {
      if (armed && chunk.includes('COMMIT')) {
        armed = false;
        cut = true;
        if (!options.forwarded) return void client.destroy();
      }
      upstream.write(chunk);
    });
    // The server's answer to COMMIT shows that it was carried out.
    upstream.on('data', (chunk: Buffer) => (cut ? client.destroy() : client.write(chunk)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('no port');
  return {
    port: address.port,
    cutNextCommit() {
      armed = true;
    },
  };
}
