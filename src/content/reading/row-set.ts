/** The rows that an answer depends on, as conditions: whoever changes a row can tell which answers it may touch. */
import type { ObjectDefinition } from '../objects/definition.js';
import type { Predicate } from '../query/predicate.js';

/** The rows of an object that meet a condition, those that an answer shows and those that it would show. */
export interface RowSet {
  readonly definition: ObjectDefinition;
  readonly where: Predicate;
}
