/** The time of servers whose work takes a time that the test says. */
import { fakeClock } from './clock.js';

/** A clock whose time passes within the work of a turn, such as in handlers. */
export function workClock() {
  let elapsed = 0;
  return {
    ...fakeClock(),
    elapsed: () => elapsed,
    spend(ms: number): void {
      elapsed += ms;
    },
  };
}
