/** Positions: lists and reads them for the API and commands, adds, changes and removes them for commands. */

import { readContextKeys } from '../../content/models/elements.js';
import { AppError, invalidField, Problems } from '../../errors/app-error.js';
import type { Reader } from '../../store/base/database.js';
import { containsPattern, dialectOf } from '../../store/base/dialect.js';
import { fromNow } from '../../store/models/columns.js';
import type { Store } from '../../store/open/open.js';
import { isIdText } from '../../values/unsigned.js';
import { readNames } from '../models/audit.js';
import { readCounters } from '../models/events.js';
import { links } from '../models/links.js';
import { type Condition, type Page, readPage } from '../models/page.js';
import { positionAttributes, positions } from '../models/positions.js';
import { contextForm, type Position } from '../rules/banner.js';
import { neededText, optionalText } from '../rules/field-types.js';
import { noCounts } from '../rules/figures.js';
import { type WriterName, writeNoted } from './audit.js';
import { type BannerStore, lockPosition, noBanner, noPosition } from './banner-store.js';
import { linksOf } from './position-links.js';

type PositionStore = BannerStore & Pick<Store, 'content' | 'prefix' | 'kind'>;

interface NewPosition {
  readonly name: string;
  readonly context_key: string;
  readonly username: WriterName;
}

interface PositionUpdate {
  readonly id: number;
  readonly name?: string;
  readonly context_key?: string;
  readonly username: WriterName;
}

export async function listPositions(
  { own }: BannerStore,
  { query, ...page }: Page & { readonly query: string | null; readonly sort: 'id' | 'name' },
) {
  const { foldedText, foldedMark } = dialectOf(own.primary.dialect);
  const conditions: readonly Condition[] =
    query === null ? [] : [[`${foldedText('`name`')} LIKE ${foldedMark} ESCAPE '!'`, [containsPattern(query)]]];
  const { rows, total } = await readPage(own.primary, positions, { ...page, conditions });
  return { rows: await withFigures(own.primary, rows), total };
}

/** Throws not_found. */
export async function readPosition({ own }: BannerStore, id: number) {
  const [record] = await withFigures(own.primary, await positions.on(own.primary).lookUpAll({ id }));
  if (record === undefined) throw noPosition(id);
  return record;
}

/** Finds a position by its id or name. Throws not_found, and conflict where several have the name. */
export async function findPosition(store: BannerStore, text: string): Promise<Position> {
  const found = await lookUpPosition(store, text);
  if (found === null) throw noPosition(text);
  return found;
}

/** Statistics outlive positions: a removed one is found by its id as long as the audit log has it. */
export async function findCountedPosition(store: BannerStore, text: string): Promise<number> {
  const found = await lookUpPosition(store, text);
  if (found !== null) return found.id;
  const id = isIdText(text) ? Number(text) : 0;
  if (!(await readNames(store.own.primary, 'position', [id])).has(id)) throw noPosition(text);
  return id;
}

/** Throws not_found for a banner that never existed; a removed one is in the audit log. */
export async function checkCountedBanner({ own }: BannerStore, id: number): Promise<void> {
  if (!(await readNames(own.primary, 'ad', [id])).has(id)) throw noBanner(id);
}

async function lookUpPosition({ own }: BannerStore, text: string): Promise<Position | null> {
  const attributes = positionAttributes;
  const { lookUpAll } = positions.on(own.primary);
  const [byId] = isIdText(text) ? await lookUpAll({ id: Number(text) }, { attributes }) : [];
  if (byId !== undefined) return byId;
  const [found, another] = await lookUpAll({ name: text }, { attributes, order: ['id'] });
  if (another !== undefined) {
    throw new AppError('conflict', { message: `Several positions have the name ${text}: name one by its id` });
  }
  return found ?? null;
}

/** Throws validation_failed. */
export async function addPosition(store: PositionStore, given: NewPosition): Promise<Position> {
  const position = checkPosition(given);
  await checkContext(store, position.context_key);
  return writeNoted({ own: store.own, username: given.username }, async (tx, note) => {
    const id = await positions.on(tx).create({ ...position, createdOn: fromNow(tx), editedOn: fromNow(tx) });
    await note({ entity: 'position', id, label: position.name, action: 'create', after: position });
    return { id, ...position };
  });
}

/** A context that was removed stays, unless the update changes it. Throws not_found and validation_failed. */
export async function updatePosition(store: PositionStore, update: PositionUpdate): Promise<Position> {
  const { id, username, context_key: context } = update;
  const stored = await positions.on(store.own.primary).lookUp({ id });
  if (stored !== null && context !== undefined && context !== stored.context_key) await checkContext(store, context);
  return writeNoted({ own: store.own, username }, async (tx, note) => {
    const before = await lockPosition(tx, id);
    const values = checkPosition({ ...before, ...update });
    const after = { id, ...values };
    await positions.on(tx).update({ ...values, editedOn: fromNow(tx) }, { where: { id } });
    await note({ entity: 'position', id, label: after.name, action: 'update', before, after });
    return after;
  });
}

/** The events of the position stay. Throws not_found. */
export async function removePosition(
  { own }: BannerStore,
  { id, username }: { readonly id: number; readonly username: WriterName },
): Promise<Position> {
  return writeNoted({ own, username }, async (tx, note) => {
    const position = await lockPosition(tx, id);
    const linked = await linksOf(tx, id);
    await links.on(tx).destroy({ where: { position: id } });
    await positions.on(tx).destroy({ where: { id } });
    const { name, context_key } = position;
    const before = { name, context_key, banners: linked.map(({ ad }) => ad) };
    await note({ entity: 'position', id, label: name, action: 'delete', before });
    return position;
  });
}

async function withFigures(reader: Reader, rows: readonly Position[]) {
  const ids = rows.map(({ id }) => id);
  const [counts, counters] = await Promise.all([
    links.on(reader).count({ where: { position: ids }, group: ['position'] }),
    readCounters(reader, { by: 'position', ids }),
  ]);
  const banners = new Map(counts.map(({ position, count }) => [position, count]));
  return rows.map(({ id, name, context_key }) => {
    const { clicks, impressions } = counters.get(id) ?? noCounts;
    return { id, name, context_key, banners: banners.get(id) ?? 0, clicks, impressions };
  });
}

/** Throws validation_failed with every problem. */
export function checkPosition({ name, context_key }: Pick<Position, 'name' | 'context_key'>): Omit<Position, 'id'> {
  const problems = new Problems('validation failed');
  const accepted = neededText({ maxLength: 255 }).parse(name);
  if (!accepted.ok) problems.add('name', accepted.problem);
  const context = optionalText({ maxLength: 100 }).parse(context_key);
  if (!context.ok || (context.value !== '' && !contextForm.test(context.value))) {
    problems.add('context_key', 'must be the key of a context, or empty for every context');
  }
  problems.throwIfAny();
  return { name, context_key };
}

/** A position of an unknown context would never be shown. */
async function checkContext({ content, prefix, kind }: PositionStore, context: string): Promise<void> {
  // Without content there are no contexts to compare with.
  if (context === '' || kind === 'empty') return;
  const known = await readContextKeys(content.primary, prefix);
  if (known.includes(context)) return;
  throw invalidField('context_key', `there is no context ${context}; the contexts are ${known.join(', ')}`);
}
