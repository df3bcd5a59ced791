/** What services that write pages work with. */
import type { Store } from '../../store/open/open.js';

export interface PageAuthoring {
  readonly store: Store;
  /** Who writes, as history shows it, such as `cli`. */
  readonly by: string;
  /**
   * Called after the commit of a publication: whether readers may see the page depends on its resource, and they are to
   * be told before it can be withdrawn again. Servers see to it as well, so nothing is lost with it.
   */
  readonly tellReaders: () => Promise<void>;
}
