/** The log-in of the content system's manager that made a preview, which the preview ends with. */
import { columnsOf, nullable } from './table.js';

// NULL where no such log-in made it. An id of 191 characters has 304 when it is sealed.
export const { up, down } = columnsOf('previews', [nullable('cms_session', 'varchar(320)')]);
