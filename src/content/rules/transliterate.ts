/**
 * Text of any script in ASCII. The tables are half a megabyte, so they are loaded by the first change of a site whose
 * aliases are made so, not at the start.
 */

let convert: ((text: string) => string) | undefined;

/** Must have ended before `transliterate` gets a text beyond ASCII. */
export async function loadTransliteration(): Promise<void> {
  convert ??= (await import('any-ascii')).default;
}

export function transliterate(text: string): string {
  return text.replace(/[^\0-\x7f]/gu, (character) => {
    if (convert === undefined) throw new Error('the tables of the transliteration were not loaded');
    // The slash of a fraction would end the segment.
    return convert(character).replaceAll('/', '-');
  });
}
