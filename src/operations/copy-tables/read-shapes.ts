/** Reads the shapes of the tables whose name begins with a prefix. */
import type { Reader } from '../../store/base/database.js';
import { readMariadbShapes } from './mariadb-shapes.js';
import { readSqliteShapes } from './sqlite-shapes.js';
import type { TableShapes } from './table-shape.js';

/** Tables by real name, in order of name; views are left out. */
export function readShapes(reader: Reader, prefix: string): Promise<TableShapes> {
  return reader.dialect === 'sqlite' ? readSqliteShapes(reader, prefix) : readMariadbShapes(reader, prefix);
}
