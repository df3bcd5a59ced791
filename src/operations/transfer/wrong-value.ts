/** What reading a member of a record may throw. */

export class WrongValue extends Error {}

/** A later line of the file may have the name. */
export class Missing extends WrongValue {}

/** Resources may refer to each other in circles. */
export class MissingResource extends Missing {}
