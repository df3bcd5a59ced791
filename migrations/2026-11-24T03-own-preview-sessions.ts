/** The session that made a preview, which the preview ends with. */
import { columnsOf, digest, nullable } from './table.js';

// NULL where no session of this program made it.
export const { up, down } = columnsOf('previews', [nullable('session_hash', digest)]);
