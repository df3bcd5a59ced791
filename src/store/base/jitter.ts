/** Random pauses, so that processes that wait for one another do not wake together. */

/** A whole number of milliseconds between the bounds, both included. */
export function jitter(bounds: { readonly from: number; readonly to: number }): number {
  return bounds.from + Math.floor(Math.random() * (bounds.to - bounds.from + 1));
}
