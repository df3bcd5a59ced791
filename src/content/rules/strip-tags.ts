/** Removes markup as the CMS does before it makes an alias. One pass; no expression that could backtrack. */

type State = 'text' | 'tag' | 'php' | 'declaration' | 'comment';

const asciiSpace = /[\t-\r ]/;

/** PHP's strip_tags without allowed tags. An unfinished tag swallows the rest of the text. */
export function stripHtmlTags(text: string): string {
  let kept = '';
  let state: State = 'text';
  let depth = 0;
  let quote = '';
  let parentheses = 0;

  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at);
    const before = text.charAt(at - 1);
    if (char === '\0') continue;

    if (state === 'text') {
      const opening = text.indexOf('<', at);
      if (opening < 0) return kept + text.slice(at).replaceAll('\0', '');
      kept += text.slice(at, opening).replaceAll('\0', '');
      at = opening;
      if (asciiSpace.test(text.charAt(at + 1))) kept += '<';
      else {
        state = 'tag';
        depth = 0;
        quote = '';
      }
      continue;
    }

    if (char === '"' || char === "'") {
      const escaped = state !== 'tag' && before === '\\';
      if (!escaped && state !== 'comment') quote = quote === '' ? char : quote === char ? '' : quote;
    } else if (char === '<') {
      if (state === 'tag' && quote === '' && !asciiSpace.test(text.charAt(at + 1))) depth += 1;
    } else if (char === '>') {
      if (state === 'comment') {
        if (before === '-' && text.charAt(at - 2) === '-') state = 'text';
      } else if (depth > 0) {
        depth -= 1;
      } else if (quote === '' && (state !== 'php' || (before === '?' && parentheses === 0))) {
        state = 'text';
      }
    } else if (state === 'tag' && before === '<' && char === '!') {
      state = 'declaration';
    } else if (state === 'tag' && before === '<' && char === '?') {
      state = 'php';
      parentheses = 0;
    } else if (state === 'php' && quote === '') {
      if (char === '(') parentheses += 1;
      if (char === ')') parentheses -= 1;
    } else if (state === 'declaration' && char === '-' && before === '-' && text.charAt(at - 2) === '!') {
      state = 'comment';
    }
  }
  return kept;
}

/** How deep the CMS looks for tags inside tags. */
const nesting = 10;

/** Inner tags go first. As in the CMS, decimal character references go too (`It&#39;s` becomes `Its`). */
export function stripElementTags(text: string): string {
  let rest = text.replace(/&#\d+;/g, '');
  for (let round = 0; round < nesting; round += 1) {
    const next = rest.replace(/\[\[(?:(?!\[\[|\]\]).)*\]\]/gs, '');
    if (next === rest) break;
    rest = next;
  }
  for (let round = 0; round < nesting; round += 1) {
    const next = rest.replace(/\[\[|\]\]/g, '');
    if (next === rest) break;
    rest = next;
  }
  return rest;
}
