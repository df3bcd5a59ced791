/**
 * Which texts may be the address of a banner (docs/banners-tracking.md#where-a-click-leads): http and https addresses,
 * paths of the site, and the content system's links to resources, each with placeholders that are filled at the click.
 * No placeholder may touch scheme or host, or the one who fills it would choose where visitors are sent.
 */
import { parseUrl } from '../../values/parse-url.js';

/** `[[+name]]` and `{name}`, filled with query parameters of the click. */
export const placeholderPattern = /\[\[!?\+([A-Za-z0-9_.-]{1,64})\]\]|\{([A-Za-z0-9_.-]{1,64})\}/g;

/** `[[~12]]`, `[[~12? &name=`value`]]`; what follows is appended to the resource's address. */
export const resourceLinkPattern = /^\[\[!?~(\d{1,10})((?:\s*\?)?(?:\s*&[A-Za-z0-9_.-]{1,64}=`[^`\]]*`)*)\s*\]\](.*)$/s;

export const urlAccepts =
  'an http or https address, a path of the site such as /sale, or a link to a resource such as [[~12]], with placeholders such as [[+name]] after the host only';

/** What is wrong with the text; null for one that is accepted, the empty text included. */
export function urlProblem(text: string): string | null {
  if (text === '') return null;
  if (hasOtherTags(text)) return refused;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: browsers drop some of them and read another address.
  if (/[\u0000-\u0020\u007f-\u00a0\u2028\u2029\\]/.test(withoutSpacesInTags(text))) return refused;
  const link = resourceLinkPattern.exec(text);
  if (link !== null) return isTail(link[3] ?? '') ? null : refused;
  // What begins with two slashes names a host.
  if (/^\/(?!\/)/.test(text)) return isPath(text) ? null : refused;
  const authority = /^https?:\/\/([^/?#]*)/i.exec(text)?.[1];
  if (authority === undefined || !isHost(authority)) return refused;
  return parseUrl(text.replaceAll(placeholderPattern, 'x')) ? null : refused;
}

const refused = `must be ${urlAccepts}`;

/** Whether there is a tag that nothing fills at the click, such as `[[++site_url]]`: it would lead nowhere. */
function hasOtherTags(text: string): boolean {
  const rest = resourceLinkPattern.exec(text)?.[3] ?? text;
  return rest.replaceAll(placeholderPattern, '').includes('[[');
}

/** A placeholder right behind the first slash could make a second one of it. */
function isPath(text: string): boolean {
  return (
    !/^\/(?:\[\[|\{)/.test(text) && parseUrl(text.replaceAll(placeholderPattern, 'x'), 'https://example.com') !== null
  );
}

/** Behind a resource's address. */
function isTail(text: string): boolean {
  return text === '' || /^[?#&/]/.test(text);
}

/** Name and port without user and password, which only serve to make an address look like another one. */
function isHost(authority: string): boolean {
  if (/[[\]{}@%]/.test(authority.replace(/^\[[0-9a-f:.]+\]/i, ''))) return false;
  return authority !== '' && !authority.startsWith(':');
}

/** Spaces stand in resource links between their parts. */
function withoutSpacesInTags(text: string): string {
  return text.replace(/^\[\[[^\]]*\]\]/, (tag) => tag.replaceAll(/[ \t]/g, ''));
}
