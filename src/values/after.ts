/** Goes on at once, or when the promise resolves: for most requests a promise costs more than their own work. */
export function after<T, R>(value: T | Promise<T>, next: (value: T) => R | Promise<R>): R | Promise<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}
