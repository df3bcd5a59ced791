/** What delivering pages works with: the open store, the facts about the site and the place of text that is kept. */

import type { LiveSnapshot } from '../../content/live/live-state.js';
import type { Registry } from '../../content/objects/definition.js';
import type { ContentReader } from '../../content/reading/content-reader.js';
import type { Store } from '../../store/open/open.js';

export interface DeliverySite {
  readonly store: Store;
  readonly registry: Registry;
  readonly reader: ContentReader;
  readonly live: () => LiveSnapshot;
}
