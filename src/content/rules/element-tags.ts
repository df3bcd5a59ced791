/** The CMS's tags in texts. Every function reads a text a fixed number of times. */

const settingTag = /\[\[!?\+\+([\w.-]{1,100})\]\]/g;
const linkTag = /\[\[!?~[ \t]*([1-9]\d{0,9})[ \t]*(?:\?([^[\]]*))?\]\]/y;
/** Settings may have settings in their values. */
const settingRounds = 3;
/** Tags that would make a text longer than this stay. */
const longest = 16_777_215;

export function firstTag(text: string): number {
  return text.indexOf('[[');
}

export function hasSettingTags(text: string, from = 0): boolean {
  return text.includes('++', from);
}

export function resolveSettingTags(text: string, settingOf: (name: string) => string | null): string {
  if (!hasSettingTags(text)) return text;
  let resolved = text;
  for (let round = 0; round < settingRounds; round += 1) {
    const within = keepWithin(resolved);
    const next = resolved.replace(settingTag, (tag: string, name: string) => within(tag, settingOf(name) ?? tag));
    if (next === resolved) break;
    resolved = next;
  }
  return resolved;
}

function keepWithin({ length }: string): (tag: string, text: string) => string {
  let room = longest - length;
  return (tag, text) => {
    const more = text.length - tag.length;
    if (more > room) return tag;
    room -= more;
    return text;
  };
}

export interface LinkTag {
  readonly start: number;
  readonly end: number;
  readonly id: number;
  readonly parameters: string | undefined;
}

/** In order. Searching for brackets is many times as fast as the expression. */
export function findLinks(text: string, first = firstTag(text)): readonly LinkTag[] {
  const links: LinkTag[] = [];
  for (let start = first; start !== -1; ) {
    const sign = text.charAt(start + 2);
    linkTag.lastIndex = start;
    const found = sign === '~' || sign === '!' ? linkTag.exec(text) : null;
    const end = start + (found?.[0].length ?? 1);
    if (found !== null) links.push({ start, end, id: Number(found[1]), parameters: found[2] });
    start = text.indexOf('[[', end);
  }
  return links;
}

export type LinkParameters = ReadonlyMap<string, string>;

const noParameters: LinkParameters = new Map();

export function replaceLinks(
  text: string,
  links: readonly LinkTag[],
  addressOf: (id: number, parameters: LinkParameters) => string,
): string {
  const within = keepWithin(text);
  let made = '';
  let copied = 0;
  for (const { start, end, id, parameters } of links) {
    const address = addressOf(id, parameters === undefined ? noParameters : readParameters(parameters));
    made += text.slice(copied, start) + within(text.slice(start, end), address);
    copied = end;
  }
  return copied === 0 ? text : made + text.slice(copied);
}

/** "&name=`value`", also with `&amp;`. */
function readParameters(text: string): LinkParameters {
  const pairs = text.matchAll(/([\w.-]{1,100})[ \t]{0,8}=[ \t]{0,8}`([^`]*)`/g);
  return new Map([...pairs].map(([, name = '', value = '']) => [name, value]));
}

/** Unpaired brackets stay. */
export function stripTags(text: string): string {
  if (!text.includes('[[')) return text;
  const open: number[] = [];
  const pairs: [start: number, end: number][] = [];
  for (let at = 0; at < text.length - 1; at += 1) {
    if (text.startsWith('[[', at)) {
      open.push(at);
      at += 1;
    } else if (text.startsWith(']]', at)) {
      const start = open.pop();
      if (start === undefined) continue;
      while ((pairs.at(-1)?.[0] ?? -1) > start) pairs.pop();
      pairs.push([start, at + 2]);
      at += 1;
    }
  }
  let kept = '';
  let from = 0;
  for (const [start, end] of pairs) {
    kept += text.slice(from, start);
    from = end;
  }
  return kept + text.slice(from);
}
