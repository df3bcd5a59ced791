/** A receiver of deliveries on loopback that remembers what came and answers as the test says. Closed with the file. */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { atFileEnd } from './at-file-end.js';

export interface ReceivedPost {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface WebhookReceiver {
  readonly url: string;
  readonly port: number;
  readonly received: readonly ReceivedPost[];
  /** What the next requests are answered with; a promise holds the answer back. */
  answerWith(answer: () => number | Promise<number>): void;
  /** Resolves when so many requests have come in all. */
  waitFor(count: number): Promise<void>;
  close(): Promise<void>;
}

export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const received: ReceivedPost[] = [];
  const waiting = new Set<() => void>();
  let answer: () => number | Promise<number> = () => 204;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', async () => {
      received.push({ path: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks).toString() });
      for (const look of waiting) look();
      response.statusCode = await answer();
      response.end(response.statusCode === 204 ? undefined : 'an answer');
    });
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const { port } = server.address() as AddressInfo;
  const receiver: WebhookReceiver = {
    url: `http://127.0.0.1:${port}/hook`,
    port,
    received,
    answerWith(next) {
      answer = next;
    },
    waitFor: (count) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (received.length < count) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      }),
    close() {
      forget();
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
  const forget = atFileEnd(receiver.close);
  return receiver;
}
