/**
 * Reads an address as browsers do; null when it is not one. `URL.canParse` must not be asked: in Node.js 20 and 22 it takes
 * addresses with letters such as ü for invalid as soon as the code that asks has been optimized.
 */
export function parseUrl(text: string, base?: string): URL | null {
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
}
