// @ts-check
/**
 * The functions that SQL on SQLite has from here: the one rule by which text is folded for comparison without case, and a
 * check sum. Plain JavaScript, because the thread of
 * statement-thread.js loads it without a compiler.
 */
import { crc32 } from 'node:zlib';

/**
 * Letters that String.toLowerCase maps otherwise than utf8mb4_unicode_520_ci of MariaDB and MySQL does: two whose lower
 * case depends on the neighbours or has two code points, and letters that are younger than Unicode 5.2, which that
 * collation leaves as they are.
 */
const special =
  /[\u0130\u03a3\u037f\u0526-\u052e\u10c7\u10cd\u13a0-\u13f5\u1c89-\u1cbf\u2c2f\u2cf2\ua660\ua698-\ua69a\ua78d\ua790-\ua7f5\u{104b0}-\u{104d3}\u{10570}-\u{10595}\u{10c80}-\u{10cb2}\u{10d50}-\u{10d65}\u{118a0}-\u{118bf}\u{16e40}-\u{16e5f}\u{16ea0}-\u{16eb8}\u{1e900}-\u{1e921}]/u;

/** @type {ReadonlyMap<string, string>} */
const single = new Map([
  ['\u0130', 'i'],
  ['\u03a3', '\u03c3'],
]);

/**
 * Lower case of every letter by itself, by the rule of that collation.
 * @param {string} text
 * @returns {string}
 */
export function foldText(text) {
  if (!special.test(text)) return text.toLowerCase();
  let folded = '';
  for (const letter of text) folded += single.get(letter) ?? (special.test(letter) ? letter : letter.toLowerCase());
  return folded;
}

/**
 * The SQL function hcd_fold: NULL stays NULL, numbers become text.
 * @param {unknown} value
 * @returns {string | null}
 */
export function foldValue(value) {
  if (typeof value === 'string') return foldText(value);
  if (typeof value === 'number' || typeof value === 'bigint') return String(value);
  return null;
}

/**
 * The SQL function hcd_digest, like CRC32 of MariaDB.
 * @param {unknown} value
 * @returns {string | null}
 */
export function digestValue(value) {
  return typeof value === 'string' ? String(crc32(value)) : null;
}
