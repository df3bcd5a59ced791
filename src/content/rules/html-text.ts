/** Text of HTML as the CMS reads it: without markup, entities decoded. No expression could backtrack. */

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
  for (const pattern of [/\[\[(?:(?!\[\[|\]\]).)*\]\]/gs, /\[\[|\]\]/g]) {
    for (let round = 0, before = ''; round < nesting && before !== rest; round += 1)
      [before, rest] = [rest, rest.replace(pattern, '')];
  }
  return rest;
}

const latin1 =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute ' +
  'micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring ' +
  'AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml ' +
  'times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil ' +
  'egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ' +
  'ugrave uacute ucirc uuml yacute thorn yuml';

/** Code points in hexadecimal. */
const others =
  'quot:22 amp:26 lt:3c gt:3e OElig:152 oelig:153 Scaron:160 scaron:161 Yuml:178 fnof:192 circ:2c6 tilde:2dc ' +
  'Alpha:391 Beta:392 Gamma:393 Delta:394 Epsilon:395 Zeta:396 Eta:397 Theta:398 Iota:399 Kappa:39a Lambda:39b ' +
  'Mu:39c Nu:39d Xi:39e Omicron:39f Pi:3a0 Rho:3a1 Sigma:3a3 Tau:3a4 Upsilon:3a5 Phi:3a6 Chi:3a7 Psi:3a8 ' +
  'Omega:3a9 alpha:3b1 beta:3b2 gamma:3b3 delta:3b4 epsilon:3b5 zeta:3b6 eta:3b7 theta:3b8 iota:3b9 kappa:3ba ' +
  'lambda:3bb mu:3bc nu:3bd xi:3be omicron:3bf pi:3c0 rho:3c1 sigmaf:3c2 sigma:3c3 tau:3c4 upsilon:3c5 phi:3c6 ' +
  'chi:3c7 psi:3c8 omega:3c9 thetasym:3d1 upsih:3d2 piv:3d6 ensp:2002 emsp:2003 thinsp:2009 zwnj:200c zwj:200d ' +
  'lrm:200e rlm:200f ndash:2013 mdash:2014 lsquo:2018 rsquo:2019 sbquo:201a ldquo:201c rdquo:201d bdquo:201e ' +
  'dagger:2020 Dagger:2021 bull:2022 hellip:2026 permil:2030 prime:2032 Prime:2033 lsaquo:2039 rsaquo:203a ' +
  'oline:203e frasl:2044 euro:20ac image:2111 weierp:2118 real:211c trade:2122 alefsym:2135 larr:2190 uarr:2191 ' +
  'rarr:2192 darr:2193 harr:2194 crarr:21b5 lArr:21d0 uArr:21d1 rArr:21d2 dArr:21d3 hArr:21d4 forall:2200 ' +
  'part:2202 exist:2203 empty:2205 nabla:2207 isin:2208 notin:2209 ni:220b prod:220f sum:2211 minus:2212 ' +
  'lowast:2217 radic:221a prop:221d infin:221e ang:2220 and:2227 or:2228 cap:2229 cup:222a int:222b there4:2234 ' +
  'sim:223c cong:2245 asymp:2248 ne:2260 equiv:2261 le:2264 ge:2265 sub:2282 sup:2283 nsub:2284 sube:2286 ' +
  'supe:2287 oplus:2295 otimes:2297 perp:22a5 sdot:22c5 lceil:2308 rceil:2309 lfloor:230a rfloor:230b lang:2329 ' +
  'rang:232a loz:25ca spades:2660 clubs:2663 hearts:2665 diams:2666';

const characters: ReadonlyMap<string, string> = new Map([
  ...latin1.split(' ').map((name, index): [string, string] => [name, String.fromCodePoint(0xa0 + index)]),
  ...others.split(' ').map((entry): [string, string] => {
    const [name = '', hex = ''] = entry.split(':');
    return [name, String.fromCodePoint(Number.parseInt(hex, 16))];
  }),
]);

export function decodeEntities(text: string): string {
  return text.replace(
    /&(?:#[xX]([0-9a-fA-F]+)|#([0-9]+)|([A-Za-z][A-Za-z0-9]*));/g,
    (reference: string, hex: string | undefined, decimal: string | undefined, name: string | undefined) => {
      if (name !== undefined) return characters.get(name) ?? reference;
      const code = hex === undefined ? Number.parseInt(decimal ?? '', 10) : Number.parseInt(hex, 16);
      return isHtml4Character(code) ? String.fromCodePoint(code) : reference;
    },
  );
}

function isHtml4Character(code: number): boolean {
  return (
    (code >= 0x20 && code <= 0x7e) ||
    code === 0x0a ||
    code === 0x09 ||
    code === 0x0d ||
    (code >= 0xa0 && code <= 0xd7ff) ||
    (code >= 0xe000 && code <= 0x10ffff)
  );
}

const named: ReadonlyMap<string, string> = new Map([
  ...[...characters].map(([name, character]): [string, string] => [character, `&${name};`]),
  ["'", '&#039;'],
]);

export function encodeEntities(text: string): string {
  return text.replace(/[&<>"'\u00a0-\uffff]/g, (character) => named.get(character) ?? character);
}
