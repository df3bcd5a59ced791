/**
 * Reads an address as browsers do; null when it is not one. Do not use `URL.canParse`: in Node.js 20 and 22 it refuses
 * addresses with letters such as ü as soon as the calling code has been optimized.
 */
export function parseUrl(text: string, base?: string): URL | null {
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
}
