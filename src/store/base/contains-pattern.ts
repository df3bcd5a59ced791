/** The pattern of `LIKE … ESCAPE '!'` that finds a text anywhere, with every character standing for itself. */
export function containsPattern(text: string): string {
  return `%${text.replaceAll(/[!%_]/g, '!$&')}%`;
}
