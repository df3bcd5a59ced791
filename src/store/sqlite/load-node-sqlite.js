// @ts-check
/**
 * Loads the SQLite module of Node. Plain JavaScript, because the thread of statement-thread.js loads it without a compiler.
 */

/**
 * The module, or undefined where this Node has none. Some versions warn that it is experimental when it is loaded: the
 * user of a program can do nothing about that, so this one warning is not passed on.
 * @returns {unknown}
 */
export function loadNodeSqlite() {
  const find = Reflect.get(process, 'getBuiltinModule');
  if (typeof find !== 'function') return undefined;
  const { emitWarning } = process;
  /** @param {readonly unknown[]} words */
  const emitOthers = (...words) => {
    if (!words.includes('ExperimentalWarning')) Reflect.apply(emitWarning, process, words);
  };
  Reflect.set(process, 'emitWarning', emitOthers);
  try {
    return find.call(process, 'node:sqlite');
  } finally {
    Reflect.set(process, 'emitWarning', emitWarning);
  }
}
