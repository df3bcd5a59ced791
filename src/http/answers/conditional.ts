/** If-None-Match and If-Match against an entity tag (RFC 9110, 13.1): lists, `*`, weak and strong comparison. */

/** An element may be empty (RFC 9110, 5.6.1.2). */
const listMember = /[ \t]*(?:(W\/)?("[\x21\x23-\x7e\x80-\xff]*")[ \t]*)?(?:,|$)/y;

/** True when the header names the tag, so that the answer is 304. Text that is no list of tags matches nothing. */
export function matchesTag(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  if (header === tag || header.trim() === '*') return true;
  return hasMember(header, (_isWeak, member) => member === tag);
}

/**
 * True when If-Match allows a change of what has the tag, null for what the caller may not read. A weak tag names no exact
 * state, so it never matches.
 */
export function allowsChange(header: string, tag: string | null): boolean {
  return header.trim() === '*' || hasMember(header, (isWeak, member) => !isWeak && member === tag);
}

function hasMember(header: string, isIt: (isWeak: boolean, member: string) => boolean): boolean {
  listMember.lastIndex = 0;
  let matched = false;
  while (listMember.lastIndex < header.length) {
    const member = listMember.exec(header);
    if (member === null) return false;
    matched ||= isIt(member[1] !== undefined, member[2] ?? '');
  }
  return matched;
}
