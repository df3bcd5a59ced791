/** The secret in the result of a command, which is shown once. */
import { isObject, type RunResult } from './api.js';

export function secretOf({ data }: RunResult): string | null {
  if (!isObject(data)) return null;
  const { secret, client_secret: ofClient, key, lookup_id: isKey, password, token, url } = data;
  // A setting has a key that is no secret; the address of a preview holds its token.
  const found = [
    secret,
    ofClient,
    isKey === undefined ? null : key,
    password,
    token === undefined ? null : (url ?? token),
  ];
  return found.find((one) => typeof one === 'string') ?? null;
}
