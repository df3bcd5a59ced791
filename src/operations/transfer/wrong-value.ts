/** What reading a member of a record may throw. */

export class WrongValue extends Error {}

/** A later line of the file may have the name. */
export class Missing extends WrongValue {}

/** Resources may refer to each other in circles. */
export class MissingResource extends Missing {}

interface MissingName {
  readonly member: string;
  readonly message: string;
  /** The record can be written without it first. */
  readonly isSoft: boolean;
}

export type Warned = readonly [field: string, problem: string];

/** What keeps a record from being written. */
export class Findings {
  readonly missing: MissingName[] = [];
  readonly problems: (readonly [member: string, problem: string])[] = [];

  /** Undefined after a problem. */
  async read<T>(
    member: string,
    work: () => T | Promise<T>,
    isSoft: (error: Missing) => boolean = () => false,
  ): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof WrongValue)) throw error;
      if (error instanceof Missing) this.missing.push({ member, message: error.message, isSoft: isSoft(error) });
      else this.problems.push([member, error.message]);
      return undefined;
    }
  }
}
