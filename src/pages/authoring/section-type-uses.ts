/** The pages that have a section of a type, in their draft or in what is published; the trash does not count. */
import type { Reader } from '../../store/base/database.js';
import { readDraftsNaming, readPublishedNaming, type UseCandidate } from '../rows/page-type-uses.js';
import { readStoredText } from './stored-document.js';

/** Documents in memory at once. */
const together = 50;

/** Resource ids, in their order. */
export async function findTypeUses(own: Reader, key: string): Promise<readonly number[]> {
  const found = new Set<number>();
  for (const read of [readDraftsNaming, readPublishedNaming]) {
    let after = 0;
    let candidates = await read(own, { key, after, limit: together });
    while (candidates.length > 0) {
      for (const candidate of candidates) if (hasSection(candidate, key)) found.add(candidate.resource);
      after = candidates.at(-1)?.resource ?? after;
      candidates = await read(own, { key, after, limit: together });
    }
  }
  return [...found].sort((left, right) => left - right);
}

function hasSection({ document }: UseCandidate, key: string): boolean {
  return readStoredText(document).value?.sections.some(({ type }) => type === key) ?? false;
}
