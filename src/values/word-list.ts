/** A long list of names, written as a text of words. */

export function wordList(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}
