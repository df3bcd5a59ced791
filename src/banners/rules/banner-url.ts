/** Accepted addresses (docs/banners-tracking.md#where-a-click-leads). A placeholder in the host could lead anywhere. */
import { parseUrl } from '../../values/text.js';

/** `[[+name]]` and `{name}`, filled with query parameters of the click. */
export const placeholderPattern = /\[\[!?\+([A-Za-z0-9_.-]{1,64})\]\]|\{([A-Za-z0-9_.-]{1,64})\}/g;

/** `[[~12]]` or `[[~12? &name=`value`]]`; the text after it is appended to the resource's address. */
export const resourceLinkPattern = /^\[\[!?~(\d{1,10})((?:\s*\?)?(?:\s*&[A-Za-z0-9_.-]{1,64}=`[^`\]]*`)*)\s*\]\](.*)$/s;

export const urlAccepts =
  'an http or https address, a path of the site such as /sale, or a link to a resource such as [[~12]], with placeholders such as [[+name]] after the host only';

export function urlProblem(text: string): string | null {
  if (text === '') return null;
  if (hasOtherTags(text)) return refused;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: browsers drop some of them, which changes the address.
  if (/[\u0000-\u0020\u007f-\u00a0\u2028\u2029\\]/.test(withoutSpacesInTags(text))) return refused;
  const link = resourceLinkPattern.exec(text);
  if (link !== null) return isTail(link[3] ?? '') ? null : refused;
  // Two slashes at the start name a host.
  if (/^\/(?!\/)/.test(text)) return isPath(text) ? null : refused;
  const authority = /^https?:\/\/([^/?#]*)/i.exec(text)?.[1];
  if (authority === undefined || !isHost(authority)) return refused;
  return parseUrl(text.replaceAll(placeholderPattern, 'x')) ? null : refused;
}

const refused = `must be ${urlAccepts}`;

/** Whether the text has a tag that a click does not fill, such as `[[++site_url]]`: it would lead nowhere. */
function hasOtherTags(text: string): boolean {
  const rest = resourceLinkPattern.exec(text)?.[3] ?? text;
  return rest.replaceAll(placeholderPattern, '').includes('[[');
}

/** A placeholder right after the first slash could add a second slash. */
function isPath(text: string): boolean {
  return (
    !/^\/(?:\[\[|\{)/.test(text) && parseUrl(text.replaceAll(placeholderPattern, 'x'), 'https://example.com') !== null
  );
}

function isTail(text: string): boolean {
  return text === '' || /^[?#&/]/.test(text);
}

/** Name and port. A user or a password could disguise the real host. */
function isHost(authority: string): boolean {
  if (/[[\]{}@%]/.test(authority.replace(/^\[[0-9a-f:.]+\]/i, ''))) return false;
  return authority !== '' && !authority.startsWith(':');
}

function withoutSpacesInTags(text: string): string {
  return text.replace(/^\[\[[^\]]*\]\]/, (tag) => tag.replaceAll(/[ \t]/g, ''));
}
