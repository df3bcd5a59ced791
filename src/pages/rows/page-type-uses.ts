/** Documents that may have a section of some type: found by their text, so what is found has to be read. */
import type { RawRow, Reader } from '../../store/base/database.js';

export interface UseCandidate {
  readonly resource: number;
  /** JSON of a draft, or of what is published. */
  readonly document: string;
}

interface Asked {
  readonly key: string;
  /** Resources up to this one have been looked at. */
  readonly after: number;
  readonly limit: number;
}

/** Drafts with the key in them, by resource id. */
export async function readDraftsNaming(reader: Reader, { key, after, limit }: Asked): Promise<readonly UseCandidate[]> {
  const rows = await reader.select({
    sql: "SELECT `resource_id`, `draft` FROM `hcd_pages` WHERE `resource_id` > ? AND `draft` LIKE ? ESCAPE '!' ORDER BY `resource_id` LIMIT ?",
    params: [after, patternOf(key), limit],
    heavy: true,
  });
  return rows.map(decode);
}

/** The same of what is published now. */
export async function readPublishedNaming(
  reader: Reader,
  { key, after, limit }: Asked,
): Promise<readonly UseCandidate[]> {
  const rows = await reader.select({
    sql: `SELECT p.\`resource_id\`, r.\`document\` FROM \`hcd_pages\` AS p
      JOIN \`hcd_page_revisions\` AS r ON r.\`resource_id\` = p.\`resource_id\` AND r.\`revision\` = p.\`last_published\`
      WHERE p.\`is_published\` = 1 AND p.\`resource_id\` > ? AND r.\`document\` LIKE ? ESCAPE '!' ORDER BY p.\`resource_id\` LIMIT ?`,
    params: [after, patternOf(key), limit],
    heavy: true,
  });
  return rows.map(decode);
}

/** As JSON prints a section. */
function patternOf(key: string): string {
  return `%"type":"${key.replace(/[!%_]/g, '!$&')}"%`;
}

function decode([resource, document]: RawRow): UseCandidate {
  return { resource: Number(resource), document: String(document) };
}
