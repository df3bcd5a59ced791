/**
 * Goes on with the value: at once, or when its promise resolves. Most requests wait for nothing, and a promise costs
 * them more than their own work.
 */
export function after<T, R>(value: T | Promise<T>, next: (value: T) => R | Promise<R>): R | Promise<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}
