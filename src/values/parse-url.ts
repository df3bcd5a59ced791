/** Null for a text that is not an address. `URL.canParse` refuses ü in optimized code of Node.js 20 and 22. */
export function parseUrl(text: string, base?: string): URL | null {
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
}
