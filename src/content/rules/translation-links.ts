/** Pages that are translations of one another, as Babel keeps them: `web:1;de:5` in a variable of each page. */

export const translationVariable = 'babelLanguageLinks';

/** Ids by context; what is no pair is left out. */
export function readTranslationLinks(text: string): Map<string, number> {
  const links = new Map<string, number>();
  for (const pair of text.split(';')) {
    const colon = pair.lastIndexOf(':');
    const [context, id] = [pair.slice(0, colon).trim(), pair.slice(colon + 1).trim()];
    if (colon > 0 && /^[1-9]\d{0,9}$/.test(id)) links.set(context, Number(id));
  }
  return links;
}

export function writeTranslationLinks(links: ReadonlyMap<string, number>): string {
  return [...links].map(([context, id]) => `${context}:${id}`).join(';');
}
