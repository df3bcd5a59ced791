/** Groups that need Redis: skipped where it is not installed; the end of the run says so. */
import { describe } from 'vitest';
import { isRedisInstalled } from './redis-server.js';

/** A group in which startRedis works. */
export function describeWithRedis(name: string, body: () => void): void {
  describe.skipIf(!isRedisInstalled())(name, body);
}
