/** Positions: lists and reads them for the API and commands, adds, changes and removes them for commands. */

import { readContextKeys } from '../../content/models/elements.js';
import { ValueProblem } from '../../content/objects/values.js';
import { AppError, invalidField, Problems } from '../../errors/app-error.js';
import type { Reader, Tx } from '../../store/base/database.js';
import type { Store } from '../../store/open/open.js';
import { readCountersOfPositions } from '../rows/ad-counters.js';
import { countLinks, deleteLinks, readLinksOfPosition } from '../rows/ad-links.js';
import { readNames } from '../rows/ad-names.js';
import {
  type AdPositionPage,
  countAdPositions,
  deleteAdPosition,
  insertAdPosition,
  lockAdPositions,
  readAdPosition,
  readAdPositions,
  readAdPositionsByName,
  updateAdPosition,
} from '../rows/ad-positions.js';
import { neededText, optionalText } from '../rules/field-types.js';
import { contextForm, type Position } from '../rules/position.js';
import type { BannerStore } from './banner-store.js';
import { type WriterName, writeNoted } from './note-write.js';

/** A position with how many banners it has and what visitors did there over all time. */
export interface PositionRecord extends Position {
  readonly banners: number;
  readonly clicks: number;
  readonly impressions: number;
}

/** The contexts of positions are those of the content. */
export type PositionStore = BannerStore & Pick<Store, 'content' | 'prefix' | 'kind'>;

export interface NewPosition {
  readonly name: string;
  /** Empty = every context. */
  readonly context_key: string;
  readonly username: WriterName;
}

export interface PositionUpdate {
  readonly id: number;
  /** Absent leaves it as it is. */
  readonly name?: string;
  readonly context_key?: string;
  readonly username: WriterName;
}

/** Positions of one page, and how many there are in all. */
export async function listPositions(
  { own }: BannerStore,
  page: AdPositionPage,
): Promise<{ readonly positions: readonly PositionRecord[]; readonly total: number }> {
  const [rows, total] = await Promise.all([
    readAdPositions(own.primary, page),
    countAdPositions(own.primary, page.query),
  ]);
  return { positions: await withFigures(own.primary, rows), total };
}

/** Throws not_found. */
export async function readPosition({ own }: BannerStore, id: number): Promise<PositionRecord> {
  const row = await readAdPosition(own.primary, id);
  if (row === null) throw noPosition(id);
  const [record] = await withFigures(own.primary, [row]);
  if (record === undefined) throw noPosition(id);
  return record;
}

/**
 * The position that a text of a command names: by its id, or by its name. Throws not_found, and conflict where several
 * have the name.
 */
export async function findPosition(store: BannerStore, text: string): Promise<Position> {
  const found = await lookUpPosition(store, text);
  if (found === null) throw noPosition(text);
  return found;
}

/** The same for statistics, which stay: a removed position is found by its id as long as the audit log knows it. */
export async function findCountedPosition(store: BannerStore, text: string): Promise<number> {
  const found = await lookUpPosition(store, text);
  if (found !== null) return found.id;
  const id = idForm.test(text) ? Number(text) : 0;
  if (!(await readNames(store.own.primary, 'position', [id])).has(id)) throw noPosition(text);
  return id;
}

const idForm = /^[1-9]\d{0,9}$/;

async function lookUpPosition({ own }: BannerStore, text: string): Promise<Position | null> {
  const byId = idForm.test(text) ? await readAdPosition(own.primary, Number(text)) : null;
  if (byId !== null) return byId;
  const [found, another] = await readAdPositionsByName(own.primary, text);
  if (another !== undefined) {
    throw new AppError('conflict', { message: `Several positions have the name ${text}: name one by its id` });
  }
  return found ?? null;
}

/** Throws validation_failed. */
export async function addPosition(store: PositionStore, given: NewPosition): Promise<Position> {
  const position = checkPosition(given);
  await checkContext(store, position.context_key);
  return writeNoted(store.own, async (tx, note) => {
    const id = await insertAdPosition(tx, position);
    await note({
      entity: 'position',
      id,
      label: position.name,
      action: 'create',
      username: given.username,
      before: null,
      after: position,
    });
    return { id, ...position };
  });
}

/** Throws not_found and validation_failed. A context that was removed meanwhile may stay as it is. */
export async function updatePosition(store: PositionStore, update: PositionUpdate): Promise<Position> {
  const { id, username, context_key: context } = update;
  const stored = await readAdPosition(store.own.primary, id);
  if (stored !== null && context !== undefined && context !== stored.context_key) await checkContext(store, context);
  return writeNoted(store.own, async (tx, note) => {
    const before = await lockPosition(tx, id);
    const after = { id, ...checkPosition({ ...before, ...update }) };
    await updateAdPosition(tx, after);
    await note({ entity: 'position', id, label: after.name, action: 'update', username, before, after });
    return after;
  });
}

/** Removes a position and its links; the events that happened there stay. Throws not_found. */
export async function removePosition(
  { own }: BannerStore,
  { id, username }: { readonly id: number; readonly username: WriterName },
): Promise<Position> {
  return writeNoted(own, async (tx, note) => {
    const position = await lockPosition(tx, id);
    const links = await readLinksOfPosition(tx, id);
    await deleteLinks(
      tx,
      links.map((link) => link.id),
    );
    await deleteAdPosition(tx, id);
    const { name, context_key } = position;
    const before = { name, context_key, banners: links.map(({ ad }) => ad) };
    await note({ entity: 'position', id, label: name, action: 'delete', username, before, after: null });
    return position;
  });
}

/** The position, held until the transaction ends. Throws not_found. */
export async function lockPosition(tx: Tx, id: number): Promise<Position> {
  const [row] = await lockAdPositions(tx, [id]);
  if (row === undefined) throw noPosition(id);
  return row;
}

export function noPosition(given: number | string): AppError {
  return new AppError('not_found', { message: `There is no position ${given}` });
}

async function withFigures(reader: Reader, rows: readonly Position[]): Promise<readonly PositionRecord[]> {
  const ids = rows.map(({ id }) => id);
  const [links, counters] = await Promise.all([countLinks(reader, ids), readCountersOfPositions(reader, ids)]);
  return rows.map((row) => ({
    ...row,
    banners: links.get(row.id) ?? 0,
    clicks: counters.get(row.id)?.clicks ?? 0,
    impressions: counters.get(row.id)?.impressions ?? 0,
  }));
}

/** Throws validation_failed with every problem. */
export function checkPosition({ name, context_key }: Pick<Position, 'name' | 'context_key'>): Omit<Position, 'id'> {
  const problems = new Problems('validation failed');
  const accepted = neededText({ maxLength: 255 }).parse(name);
  if (accepted instanceof ValueProblem) problems.add('name', accepted.problem);
  const context = optionalText({ maxLength: 100 }).parse(context_key);
  if (context instanceof ValueProblem || (context !== '' && !contextForm.test(context))) {
    problems.add('context_key', 'must be the key of a context, or empty for every context');
  }
  problems.throwIfAny();
  return { name, context_key };
}

/** Nobody could ever see a position of a context that there is not. Throws validation_failed. */
async function checkContext({ content, prefix, kind }: PositionStore, context: string): Promise<void> {
  // Without content there are no contexts to compare with.
  if (context === '' || kind === 'empty') return;
  const known = await readContextKeys(content.primary, prefix);
  if (known.includes(context)) return;
  throw invalidField('context_key', `there is no context ${context}; the contexts are ${known.join(', ')}`);
}
