/** Waiting for what happens beside a test. */
import { vi } from 'vitest';

/**
 * What `look` gives once it throws no more. The deadline is there for what never comes, not to measure: a busy machine
 * takes the time that it takes.
 */
export function eventually<T>(look: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(look, { timeout: 20_000, interval: 20 });
}
