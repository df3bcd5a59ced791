/** What a reader of one value gets. */
import type { PageProblems } from './page-problem.js';
import type { FieldDefinition } from './section-type.js';

/** One value to read: problems go to `problems` under `path`. */
export interface ValueReading {
  readonly value: unknown;
  readonly path: string;
  readonly field: FieldDefinition;
  readonly problems: PageProblems;
}
