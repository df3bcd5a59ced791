/** Each sign is looked at once: `/\/+$/` looks at a run again from each of its places. */

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
