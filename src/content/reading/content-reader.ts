/** What the read services work with: the open content store and the facts about it that statements need. */

import type { Reader } from '../../store/base/database.js';
import type { Asker } from '../../store/base/fair-queue.js';
import { readAs } from '../../store/base/read-as.js';
import type { ObjectDefinition, Registry } from '../objects/definition.js';
import type { SqlDialect, SqlTable } from '../query/compile.js';
import type { Sign } from '../query/cursor.js';
import type { Totals } from './totals.js';

export interface ContentReader {
  readonly db: Reader;
  readonly prefix: string;
  readonly dialect: SqlDialect;
  readonly registry: Registry;
  /** The real table of an object with what statements must know of its columns. */
  table(definition: ObjectDefinition): SqlTable;
  readonly totals: Totals;
  /** Signs cursors. */
  readonly sign: Sign;
  /** Turns a stored media path into an address (docs/reference/gateway.md#media-paths). */
  readonly mediaUrl: (value: string) => string;
}

/** The same reader on behalf of a caller. */
export function readerFor(reader: ContentReader, asker: Asker): ContentReader {
  return { ...reader, db: readAs(reader.db, asker) };
}
