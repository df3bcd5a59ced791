/** Receivers of deliveries that may do anything on the wire, and authorities whose certificates tests trust. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';
import { atFileEnd } from '../support/at-file-end.js';

export interface RawReceiver {
  readonly port: number;
  /** Everything that came on each connection, in order of connecting. */
  readonly received: readonly string[];
  /** Resolves when the last connection has a whole request head, at once if it has. */
  heard(): Promise<void>;
  close(): Promise<void>;
}

export interface RawReceiverOptions {
  /** Called at each request head with the number of requests on its connection so far. */
  readonly onRequest?: (socket: Socket, count: number) => void;
  readonly onConnect?: (socket: Socket) => void;
  readonly address?: string;
  readonly port?: number;
  readonly tls?: TlsOptions;
}

/** Listens on loopback; closed at the end of the file at the latest. */
export async function startRawReceiver(options: RawReceiverOptions): Promise<RawReceiver> {
  const received: string[] = [];
  const sockets = new Set<Socket>();
  let waiting: (() => void) | null = null;
  const serve = (socket: Socket): void => {
    const index = received.push('') - 1;
    let heads = 0;
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    socket.on('data', (chunk) => {
      received[index] += chunk.toString('latin1');
      const count = (received[index] ?? '').split('\r\n\r\n').length - 1;
      if (count === heads) return;
      heads = count;
      waiting?.();
      options.onRequest?.(socket, count);
    });
    options.onConnect?.(socket);
  };
  const server: Server =
    options.tls === undefined
      ? createServer(serve)
      : createTlsServer(options.tls, serve).on('tlsClientError', () => undefined);
  // Handshakes that never end have no TLS socket yet.
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((ready) => server.listen(options.port ?? 0, options.address ?? '127.0.0.1', ready));
  const receiver: RawReceiver = {
    port: (server.address() as AddressInfo).port,
    received,
    heard: () =>
      new Promise((resolve) => {
        if (received.some((text) => text.includes('\r\n\r\n'))) resolve();
        else waiting = resolve;
      }),
    close: () => {
      forget();
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
  const forget = atFileEnd(receiver.close);
  return receiver;
}

/** Whether certificates can be made on this machine. */
export function hasOpenssl(): boolean {
  try {
    execFileSync('openssl', ['version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

export interface Certificates {
  /** Certificate of the authority that signed all but the self-signed one. */
  readonly authority: string;
  readonly valid: TlsOptions;
  readonly validForAddress: TlsOptions;
  readonly wrongName: TlsOptions;
  readonly expired: TlsOptions;
  readonly selfSigned: TlsOptions;
}

/** Makes an authority and certificates for `receiver.example.com` in the directory. */
export function makeCertificates(directory: string): Certificates {
  const at = (name: string): string => join(directory, name);
  const openssl = (...args: readonly string[]): void => {
    execFileSync('openssl', [...args], { stdio: 'ignore', cwd: directory });
  };
  const subject = (name: string): string[] => ['-subj', `/CN=${name}`];
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  openssl('req', '-x509', ...newKey, ...subject('Test authority'), '-days', '2', '-keyout', 'ca.key', '-out', 'ca.pem');

  const signed = (name: string, altName: string, days: string): TlsOptions => {
    writeFileSync(at(`${name}.ext`), `subjectAltName=${altName}\n`);
    openssl('req', ...newKey, ...subject(name), '-keyout', `${name}.key`, '-out', `${name}.csr`);
    openssl(
      ...['x509', '-req', '-in', `${name}.csr`, '-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial'],
      ...['-days', days, '-extfile', `${name}.ext`, '-out', `${name}.pem`],
    );
    return { key: readFileSync(at(`${name}.key`)), cert: readFileSync(at(`${name}.pem`)) };
  };
  const alone = ['-addext', 'subjectAltName=DNS:receiver.example.com', '-keyout', 'self.key', '-out', 'self.pem'];
  openssl('req', '-x509', ...newKey, ...subject('receiver.example.com'), '-days', '2', ...alone);
  return {
    authority: readFileSync(at('ca.pem'), 'utf8'),
    valid: signed('valid', 'DNS:receiver.example.com', '2'),
    validForAddress: signed('address', 'IP:127.0.0.1', '2'),
    wrongName: signed('wrong', 'DNS:other.example.com', '2'),
    expired: signed('expired', 'DNS:receiver.example.com', '-1'),
    selfSigned: { key: readFileSync(at('self.key')), cert: readFileSync(at('self.pem')) },
  };
}
