/** What the services of banners need of the store. */
import type { Database } from '../../store/base/database.js';
import type { Asker } from '../../store/base/fair-queue.js';
import { readAs } from '../../store/base/read-as.js';

export interface BannerStore {
  readonly own: Pick<Database, 'primary' | 'write'>;
}

/** The same store on behalf of a caller. */
export function bannerStoreFor({ own }: BannerStore, asker: Asker): BannerStore {
  return { own: { primary: readAs(own.primary, asker), write: (work, options) => own.write(work, options) } };
}
