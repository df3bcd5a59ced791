/** What the services of banners need of the store. */
import type { Database } from '../../store/database.js';

export interface BannerStore {
  readonly own: Pick<Database, 'primary' | 'write'>;
}
