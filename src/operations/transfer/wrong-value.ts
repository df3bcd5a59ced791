/** What reading a member of a record may throw. */

/** Thrown for a value that a record must not have. */
export class WrongValue extends Error {}

/** Thrown for a name that nothing has so far; a later line of the file may have it. */
export class Missing extends WrongValue {}

/** The same for a resource: resources may refer to each other in circles. */
export class MissingResource extends Missing {}
