/** Waits for what happens in the background of a test. */
import { vi } from 'vitest';

/**
 * What `look` returns once it stops throwing. The deadline ends a wait in vain, it measures nothing: a busy machine
 * takes the time that it takes.
 */
export function eventually<T>(look: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(look, { timeout: 60_000, interval: 20 });
}
