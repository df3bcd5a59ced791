/**
 * How many columns text takes on a terminal, and text cut or broken to a number of columns. Where terminals differ the
 * larger width counts, so that no line is wider than it was meant to be.
 */

// biome-ignore lint/suspicious/noControlCharactersInRegex: the escape character opens a sequence of colour
const paint = /\u001b\[[\d;]*m/g;

/** CJK, kana, Hangul and emoji: two columns. */
const wide =
  /\p{Emoji_Presentation}|[\u1100-\u115f\u2329\u232a\u2e80-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18dff}\u{1aff0}-\u{1b2ff}\u{1d300}-\u{1d376}\u{1f000}-\u{1faff}\u{20000}-\u{3fffd}]/u;
/** Marks that stand on the character before them. The one that asks for an emoji makes that wider. */
const without = /[\p{Mn}\p{Me}\u200b\u2060\ufeff]/u;
const emojiMark = '\ufe0f';
const plain = /^[\u0020-\u007e]*$/;

/** Columns of a text without line breaks; colour takes none. */
export function displayWidth(text: string): number {
  if (plain.test(text)) return text.length;
  let width = 0;
  for (const character of text.replace(paint, '')) width += widthOf(character);
  return width;
}

function widthOf(character: string): number {
  if (character === emojiMark) return 1;
  if (without.test(character)) return 0;
  return wide.test(character) ? 2 : 1;
}

/** The text without colour, cut to the width with a mark at its end; as it is where it fits. */
export function cutToWidth(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  const mark = width < 1 ? '' : '…';
  return `${startOf(text, width - mark.length)}${mark}`;
}

/** Lines of at most this width: broken at spaces, and within words that are wider. */
export function breakToWidth(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let rest = text;
  while (displayWidth(rest) > width) {
    const start = startOf(rest, width) || ([...rest][0] ?? '');
    const isWhole = rest[start.length] === ' ';
    const space = isWhole ? start.length : start.lastIndexOf(' ');
    const end = space > 0 ? space : start.length;
    lines.push(rest.slice(0, end).trimEnd());
    rest = rest.slice(end).trimStart();
  }
  return rest === '' && lines.length > 0 ? lines : [...lines, rest];
}

/** The longest start that fits. */
function startOf(text: string, width: number): string {
  let kept = '';
  let taken = 0;
  for (const character of text) {
    taken += widthOf(character);
    if (taken > width) break;
    kept += character;
  }
  return kept;
}
