/** Requests worth trying on the sample site, as paths below the base of their API. */
import type { ApiName } from '../../config/setting-definitions.js';
import { readAsset } from '../../values/read-asset.js';

export interface SampleRequest {
  readonly api: ApiName;
  readonly shows: string;
  /** Anonymous, with the key or the page token, or a user who logs in or has logged in. */
  readonly caller: 'anyone' | 'key' | 'token' | 'login' | 'session';
  /** Default: GET. */
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** With query, percent-encoded. Ids are those that pages get in an empty store: their places in the file. */
  readonly path: string;
  /** Without apostrophes. A log-in makes its own. */
  readonly body?: Readonly<Record<string, string | number | boolean>>;
  readonly isFirst?: boolean;
}

/** In the order in which to try them. All except the creation, whose URI is then in use, work again. */
export function sampleRequests(): readonly SampleRequest[] {
  return JSON.parse(readAsset('sample', 'requests.json').toString());
}
