/** The index of the words by which resources are searched. */
import { Op } from 'sequelize';
import { sha256Hex } from '../../crypto/primitives.js';
import type { Reader, Tx } from '../../store/base/database.js';
import { upsertRows } from '../../store/models/model.js';
import { siteContent } from '../models/resources.js';
import { type SearchRow, searchIndex } from '../models/search-index.js';
import { indexText, plainText, titleText, wordsOf } from '../rules/search-words.js';
import { type ContentIndex, type Range, type Source, turns } from './content-index.js';

const searched = ['pagetitle', 'longtitle', 'menutitle', 'description', 'introtext', 'content'] as const;
const mostLetters = 1_000_000;
/** Version of the index. */
const form = 3;
/** Marks the index as complete. No resource has this id, so no sweep meets it. */
const whole: SearchRow = { resource: 0, title: '', words: '', digest: `whole ${form}` };

export const words: ContentIndex = {
  async compare(own, source, { ids, areNew, range }) {
    const texts = new Map((await readTexts(source, ids)).map((one) => [one.id, one]));
    const digests = areNew ? new Map<number, string>() : await readDigests(own, range ?? ids);
    const changed = [...new Set([...texts.keys(), ...digests.keys()])].filter(
      (id) => texts.get(id)?.digest !== digests.get(id),
    );
    const rows = await searchRows(changed.flatMap((id) => texts.get(id) ?? []));
    const gone = changed.filter((id) => !texts.has(id));
    return {
      ids: changed,
      async write(tx) {
        await writeSearchRows(tx, rows);
        if (gone.length > 0) await searchIndex.on(tx).destroy({ where: { resource: gone } });
      },
    };
  },

  async findUnseen(own) {
    const found = await searchIndex.on(own).lookUp({ resource: whole.resource });
    return found?.digest === whole.digest ? null : { ...words, finish: (tx) => writeSearchRows(tx, [whole]) };
  },
};

interface Texts {
  readonly id: number;
  readonly texts: readonly string[];
  readonly digest: string;
}

async function readTexts({ reader, prefix }: Source, ids: readonly number[]): Promise<Texts[]> {
  if (ids.length === 0) return [];
  const rows = await siteContent.on(reader, prefix).lookUpAll({ id: ids }, { attributes: ['id', ...searched] });
  return rows.map((row) => {
    const texts = searched.map((name) => (row[name] ?? '').slice(0, mostLetters));
    return { id: row.id, texts, digest: sha256Hex(JSON.stringify([form, ...texts])) };
  });
}

async function searchRows(resources: readonly Texts[]): Promise<readonly SearchRow[]> {
  const rows: SearchRow[] = [];
  for (const texts of resources) {
    await turns.pass();
    rows.push(searchRow(texts));
  }
  return rows;
}

function searchRow({ id, texts, digest }: Texts): SearchRow {
  const found = texts.map((text) => wordsOf(plainText(text)));
  const [title = [], ...others] = found;
  return { resource: id, title: titleText(title), words: indexText(title.concat(...others), title), digest };
}

const columns = ['resource', 'title', 'words', 'digest'] as const;

/** FTS5 writes at the end of each statement: one per row takes three times as long as one per fifty. */
function writeSearchRows(tx: Pick<Tx, 'dialect' | 'run'>, rows: readonly SearchRow[]): Promise<void> {
  return upsertRows(tx, { table: searchIndex.table, columns, key: ['resource'] }, rows);
}

async function readDigests(own: Reader, of: readonly number[] | Range): Promise<ReadonlyMap<number, string>> {
  const how = { attributes: ['resource', 'digest'] } as const;
  const rows =
    'upTo' in of
      ? await searchIndex.on(own).findAll({ ...how, where: { resource: { [Op.gt]: of.after, [Op.lte]: of.upTo } } })
      : await searchIndex.on(own).lookUpAll({ resource: of }, how);
  return new Map(rows.map(({ resource, digest }) => [resource, digest]));
}
