/** What delivering pages works with: the open store, the facts about the site and the place of text that is kept. */
import type { Registry } from '../../objects/definition.js';
import type { Store } from '../../store/open.js';
import type { ContentReader } from '../content-reader.js';
import type { LiveSnapshot } from '../live-state.js';

export interface DeliverySite {
  readonly store: Store;
  readonly registry: Registry;
  readonly reader: ContentReader;
  readonly live: () => LiveSnapshot;
}
