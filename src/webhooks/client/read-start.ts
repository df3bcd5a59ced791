/** Reads the beginning of an answer's body and frees the connection: for use again when little is left, else by ending it. */
import type { IncomingMessage } from 'node:http';
import type { Clock } from '../../clock/clock.js';

export interface StartQuestion {
  readonly response: IncomingMessage;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Bytes of a body that are kept. */
const keptBytes = 4096;
/** Bytes that are read to keep the connection; more is not worth its while. */
const maxDrained = 65_536;
/** Time for the body once the head has come: only its beginning is of use. */
const bodyMs = 2000;

const notShown = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\ufffd]+/gu;

/**
 * The first 4 KiB as text that is safe in a log line, a table and a terminal; empty for a compressed body, which nobody
 * asked for. Never rejects: a body that does not come, or not as announced, takes nothing from the status.
 */
export function readStart({ response, clock, signal }: StartQuestion): Promise<string> {
  return new Promise((done) => {
    const chunks: Buffer[] = [];
    let size = 0;
    let finished = false;

    const finish = (): void => {
      if (finished) return;
      finished = true;
      timer.stop();
      signal.removeEventListener('abort', finish);
      if (!response.complete) response.destroy();
      done(isCompressed(response) ? '' : plainText(Buffer.concat(chunks).subarray(0, keptBytes)));
    };
    const timer = clock.after(bodyMs, finish);

    signal.addEventListener('abort', finish, { once: true });
    response.on('data', (chunk: Buffer) => {
      if (size < keptBytes) chunks.push(chunk);
      size += chunk.length;
      if (size > maxDrained) finish();
    });
    response.on('end', finish);
    response.on('error', finish);
    response.on('close', finish);
  });
}

function isCompressed({ headers }: IncomingMessage): boolean {
  const encoding = headers['content-encoding']?.trim().toLowerCase();
  return encoding !== undefined && encoding !== '' && encoding !== 'identity';
}

/** Controls, marks that reorder text and what is not UTF-8 become one space each run. */
function plainText(bytes: Buffer): string {
  return bytes.toString('utf8').replace(notShown, ' ').trim();
}
