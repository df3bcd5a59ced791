/** The id of a resource as commands take it. */
import { integerValue } from '../../src/config/value-type.js';

/** Ids are numbers of the database: 32 bits. */
export const idValue = integerValue({ min: 1, max: 4_294_967_295 });
