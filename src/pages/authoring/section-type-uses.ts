/** The pages that have a section of a type, in their draft or in what is published; the trash does not count. */
import { Op } from 'sequelize';
import type { Reader } from '../../store/base/database.js';
import { pageRevisions } from '../models/page-revisions.js';
import { type PageRow, pageNumbers, pages } from '../models/pages.js';
import { readStoredText } from './documents.js';

/** Pages whose documents one statement looks at: no statement takes long, however many pages there are. */
const together = 100;

/** Resource ids, in their order. */
export async function findTypeUses(own: Reader, key: string): Promise<readonly number[]> {
  const uses: number[] = [];
  for (let after = 0; ; ) {
    const part = await pages.on(own).findAll({
      attributes: pageNumbers,
      where: { resource: { [Op.gt]: after } },
      order: ['resource'],
      limit: together,
    });
    if (part.length === 0) return uses;
    const found = await usesAmong(own, part, key);
    uses.push(...part.map(({ resource }) => resource).filter((resource) => found.has(resource)));
    after = part.at(-1)?.resource ?? after;
  }
}

async function usesAmong(own: Reader, part: readonly PageRow[], key: string): Promise<ReadonlySet<number>> {
  // As JSON prints a section. An underscore in the key stands for any character, so what is found has to be read.
  const naming = { [Op.like]: `%"type":"${key}"%` };
  const drafts = await pages.on(own).findAll({
    attributes: ['resource', 'draft'],
    where: { resource: { [Op.in]: part.map(({ resource }) => resource) }, draft: naming },
  });
  // A draft that is published as it is has been looked at.
  const changed = part.filter((page) => page.isPublished && page.publishedDraft !== page.revision);
  const places = changed.map(({ resource, lastPublished }) => ({ resource, revision: lastPublished }));
  const published =
    places.length === 0
      ? []
      : await pageRevisions.on(own).findAll({
          attributes: ['resource', 'document'],
          where: { [Op.or]: places, document: naming },
        });
  const candidates = [...drafts.map(({ resource, draft }) => ({ resource, document: draft ?? '' })), ...published];
  return new Set(candidates.filter(({ document }) => hasSection(document, key)).map(({ resource }) => resource));
}

function hasSection(document: string, key: string): boolean {
  return readStoredText(document).value?.sections.some(({ type }) => type === key) ?? false;
}
