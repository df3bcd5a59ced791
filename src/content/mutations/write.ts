/** One write in its transaction: who asks, in which context, and what it works with. */

import type { Tx } from '../../store/base/database.js';
import type { Caller } from '../query/authorize.js';
import type { ContentReader } from '../reading/content-reader.js';
import type { ContentWriter } from './content-writer.js';

export interface Write {
  readonly tx: Tx;
  readonly writer: ContentWriter;
  readonly caller: Caller;
  /** Context of the request: where a new record goes that names none. */
  readonly context: string;
  /** The request itself names that context; false: it is the one of requests that name none. */
  readonly namesContext: boolean;
}

/** Reads within the transaction. */
export function readerOf({ tx, writer }: Pick<Write, 'tx' | 'writer'>): ContentReader {
  return { ...writer.reader, db: tx };
}
