/** Small functions of texts. */

/** Half of a surrogate pair would come back from UTF-8 or a database as another character. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/** In linear time: `/\/+$/` scans a run again from each of its places. */
export function trimOf(text: string, signs: string): string {
  return trimEndOf(trimStartOf(text, signs), signs);
}

export function trimStartOf(text: string, signs: string): string {
  let start = 0;
  while (start < text.length && signs.includes(text.charAt(start))) start += 1;
  return text.slice(start);
}

export function trimEndOf(text: string, signs: string): string {
  let end = text.length;
  while (end > 0 && signs.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

export function wordList(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}

const references: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => references[character] ?? character);
}

/** Null for a text that is not an address. `URL.canParse` refuses ü in optimized code of Node.js 20 and 22. */
export function parseUrl(text: string, base?: string): URL | null {
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
}

/** Throws for bytes that are not UTF-8; a byte order mark stays. */
export const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
