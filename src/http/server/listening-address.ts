/** The address of a listener for clients on the same machine. */

/** An address that a client on this machine can use: a server on all addresses answers on the loopback one. */
export function listeningAddress({ host, port }: { readonly host: string; readonly port: number }): string {
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}
