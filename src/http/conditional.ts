/** If-None-Match against an entity tag (RFC 9110, 13.1.2): lists, `*` and weak comparison. */

const listMember = /[ \t]*(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")[ \t]*(?:,|$)/y;

/** True when the header names the tag, so that the answer is 304. Text that is no list of tags matches nothing. */
export function matchesTag(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  if (header === tag || header.trim() === '*') return true;
  listMember.lastIndex = 0;
  let matched = false;
  while (listMember.lastIndex < header.length) {
    const member = listMember.exec(header);
    if (member === null) return false;
    matched ||= member[1] === tag;
  }
  return matched;
}
