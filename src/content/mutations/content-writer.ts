/** What the write services work with: the open store, the facts about the site, and those who hear of mutations. */

import type { Store } from '../../store/open/open.js';
import type { LiveSnapshot } from '../live/live-state.js';
import type { Registry } from '../objects/definition.js';
import type { ContentReader } from '../reading/content-reader.js';
import type { MutationListeners } from './run-mutation.js';

export interface ContentWriter {
  readonly store: Store;
  readonly registry: Registry;
  /** For reading back what was written; inside a transaction with the transaction in the place of its database. */
  readonly reader: ContentReader;
  readonly live: () => LiveSnapshot;
  /** Milliseconds of the wall clock. */
  readonly now: () => number;
  readonly listeners: MutationListeners;
}
