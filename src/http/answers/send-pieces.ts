/** Sends a body no faster than the client takes it; a failure ends the connection, so half a body never seems whole. */
import type { ServerResponse } from 'node:http';
import type { Piece, Pieces } from '../interface/answer.js';

interface Sending {
  readonly res: ServerResponse;
  readonly pieces: Pieces;
  /** The connection then ends with this answer. */
  readonly isDraining: () => boolean;
}

export async function openPieces(source: AsyncIterable<Piece>): Promise<Pieces> {
  const iterator = source[Symbol.asyncIterator]();
  let first: IteratorResult<Piece> | undefined = await iterator.next();
  return {
    async next() {
      const piece = first ?? (await iterator.next());
      first = undefined;
      return piece;
    },
    close() {
      // No reader is left for the failure.
      void iterator.return?.()?.catch(() => undefined);
    },
  };
}

/** Never rejects; returns the error of the production. */
export async function sendPieces(sending: Sending): Promise<unknown> {
  const { res, pieces, isDraining } = sending;
  try {
    for (let piece = await pieces.next(); piece.done !== true; piece = await pieces.next()) {
      if (!isOpen(res)) break;
      if (res.write(piece.value)) await turn();
      else await drained(sending);
      if (!isOpen(res)) break;
    }
  } catch (error) {
    res.destroy();
    return error;
  }
  if (!isOpen(res)) {
    pieces.close();
    return undefined;
  }
  const { socket } = res;
  await new Promise<void>((resolve) => {
    res.once('close', resolve);
    res.end(resolve);
  });
  // The answer began before the end was announced, so its head could not say that the connection ends with it.
  if (isDraining()) socket?.end();
  return undefined;
}

function isOpen(res: ServerResponse): boolean {
  return !res.destroyed && !res.closed;
}

/** Pages from memory would otherwise follow each other without a pause. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function drained({ res }: Sending): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      res.off('drain', done);
      res.off('close', done);
      resolve();
    };
    res.once('drain', done);
    res.once('close', done);
    if (!isOpen(res)) done();
  });
}
