/** A small HTTP server on loopback that takes POSTs with bodies of a bounded size. */
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { listen } from '../../src/http/server/server.js';

export interface ReceivedRequest {
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

interface ListenOptions {
  readonly port: number;
  readonly onRequest: (request: ReceivedRequest) => Promise<number>;
  /** Gets errors of `onRequest`; the answer is 500 then. */
  readonly onError: (error: unknown) => void;
}

export const loopback = '127.0.0.1';
const longestBody = 10 * 1024 * 1024;

/** Throws port_in_use, and configuration_invalid for a port that this user may not use. */
export async function startListenServer(options: ListenOptions) {
  const server = createServer((request, response) => {
    answer(request, response, options).catch((error: unknown) => {
      options.onError(error);
      end(response, 500);
    });
  });
  const { port } = await listen(server, { host: loopback, port: options.port });
  return {
    port,
    /** Completes the requests under way; connections that stay open are closed. */
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(request: IncomingMessage, response: ServerResponse, { onRequest }: ListenOptions): Promise<void> {
  if (request.method !== 'POST') {
    response.setHeader('Allow', 'POST');
    return end(response, 405);
  }
  const body = await readBody(request);
  if (body === 'gone') return;
  if (body === 'too long') {
    response.setHeader('Connection', 'close');
    // A sender that still writes would not read the answer.
    request.resume();
    return end(response, 413);
  }
  end(response, await onRequest({ headers: request.headers, body }));
}

function end(response: ServerResponse, status: number): void {
  if (response.headersSent) return;
  response.statusCode = status;
  response.end();
}

async function readBody(request: IncomingMessage): Promise<Buffer | 'too long' | 'gone'> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      size += chunk.length;
      if (size > longestBody) return 'too long';
      chunks.push(chunk);
    }
  } catch {
    return 'gone';
  }
  return Buffer.concat(chunks);
}
