/**
 * TypeScript as text: names and texts of a site may be anything, and none of them may end a comment, a text or a name
 * early.
 */

/** A name of a member or of a type, and a type. */
export interface Member {
  readonly name: string;
  readonly type: string;
  readonly isOptional?: boolean;
  /** For people, in a comment. */
  readonly about?: string;
}

/** What an editor does not show, or what changes the direction of a line there. */
const unseen = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu;

/** The type of one text. */
export function literal(text: string): string {
  return JSON.stringify(text).replace(unseen, escaped);
}

function escaped(text: string): string {
  return Array.from({ length: text.length }, (_, at) => `\\u${hexOf(text.charCodeAt(at))}`).join('');
}

function hexOf(code: number): string {
  return code.toString(16).padStart(4, '0');
}

/** The type of any of the texts; `never` for none. */
export function union(texts: readonly string[]): string {
  return texts.length === 0 ? 'never' : texts.map(literal).join(' | ');
}

const longestComment = 200;

/** A comment on a line of its own. */
export function comment(text: string): string {
  const line = text.replace(/\s+/g, ' ').replace(unseen, '').trim();
  const cut = line.length > longestComment ? `${line.slice(0, longestComment)}…` : line;
  return `/** ${cut.replaceAll('*/', '*\\/')} */`;
}

const plainName = /^[A-Za-z_$][\w$]*$/;

/** Members between braces, each on its own line. */
export function block(members: readonly Member[], indent = ''): string {
  if (members.length === 0) return '{}';
  const lines = members.map(({ name, type, isOptional = false, about }) => {
    const word = plainName.test(name) ? name : literal(name);
    const said = about === undefined ? '' : `${indent}  ${comment(about)}\n`;
    return `${said}${indent}  ${word}${isOptional ? '?' : ''}: ${type};\n`;
  });
  return `{\n${lines.join('')}${indent}}`;
}

/** Names of types that no two of the texts share: the first to come has its own, later ones a number behind it. */
export function typeNames<Key>(
  wanted: readonly (readonly [key: Key, text: string])[],
  {
    otherwise,
    ending,
    taken,
  }: { readonly otherwise: string; readonly ending: string; readonly taken: Iterable<string> },
): ReadonlyMap<Key, string> {
  const used = new Set(taken);
  const names = new Map<Key, string>();
  for (const [key, text] of wanted) {
    const stem = pascalCase(text, otherwise);
    let name = `${stem}${ending}`;
    for (let number = 2; used.has(name); number += 1) name = `${stem}${number}${ending}`;
    used.add(name);
    names.set(key, name);
  }
  return names;
}

/** The words of the text as one name in any script; what begins with a digit, or has no letter, gets the other word. */
function pascalCase(text: string, otherwise: string): string {
  const words = text.normalize('NFC').match(/[\p{ID_Start}\p{Nd}][\p{ID_Continue}]*/gu) ?? [];
  const stem = words
    .flatMap((word) => word.split('_'))
    .map((word) => word.replace(/^./u, (first) => first.toUpperCase()))
    .join('');
  return /^\p{ID_Start}/u.test(stem) ? stem : `${otherwise}${stem}`;
}
