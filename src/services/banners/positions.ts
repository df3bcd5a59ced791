/** Positions: lists and reads them for the API and commands, adds, changes and removes them for commands. */
import { neededText, optionalText } from '../../banners/field-types.js';
import type { Position } from '../../banners/position.js';
import { AppError, Problems } from '../../errors/app-error.js';
import { ValueProblem } from '../../objects/values.js';
import type { Reader, Tx } from '../../store/database.js';
import { readCountersOfPositions } from '../../store/rows/ad-counters.js';
import { countLinks, deleteLinks, readLinksOfPosition } from '../../store/rows/ad-links.js';
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
} from '../../store/rows/ad-positions.js';
import type { BannerStore } from './banner-store.js';
import { noteWrite, type WriterName } from './note-write.js';

/** A position with how many banners it has and what visitors did there over all time. */
export interface PositionRecord extends Position {
  readonly banners: number;
  readonly clicks: number;
  readonly impressions: number;
}

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
export async function findPosition({ own }: BannerStore, text: string): Promise<Position> {
  const byId = /^\d{1,10}$/.test(text) ? await readAdPosition(own.primary, Number(text)) : null;
  if (byId !== null) return byId;
  const [found, another] = await readAdPositionsByName(own.primary, text);
  if (found === undefined) throw noPosition(text);
  if (another !== undefined) {
    throw new AppError('conflict', { message: `Several positions have the name ${text}: name one by its id` });
  }
  return found;
}

/** Throws validation_failed. */
export async function addPosition({ own }: BannerStore, given: NewPosition): Promise<Position> {
  const position = checkPosition(given);
  return own.write(async (tx) => {
    const id = await insertAdPosition(tx, position);
    await noteWrite(tx, {
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

/** Throws not_found and validation_failed. */
export async function updatePosition({ own }: BannerStore, update: PositionUpdate): Promise<Position> {
  const { id, username } = update;
  return own.write(async (tx) => {
    const before = await lockPosition(tx, id);
    const after = { id, ...checkPosition({ ...before, ...update }) };
    await updateAdPosition(tx, after);
    await noteWrite(tx, { entity: 'position', id, label: after.name, action: 'update', username, before, after });
    return after;
  });
}

/** Removes a position and its links; the events that happened there stay. Throws not_found. */
export async function removePosition(
  { own }: BannerStore,
  { id, username }: { readonly id: number; readonly username: WriterName },
): Promise<Position> {
  return own.write(async (tx) => {
    const position = await lockPosition(tx, id);
    const links = await readLinksOfPosition(tx, id);
    await deleteLinks(
      tx,
      links.map((link) => link.id),
    );
    await deleteAdPosition(tx, id);
    const { name, context_key } = position;
    const before = { name, context_key, banners: links.map(({ ad }) => ad) };
    await noteWrite(tx, { entity: 'position', id, label: name, action: 'delete', username, before, after: null });
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

const contextForm = /^[A-Za-z0-9._-]{0,100}$/;

function checkPosition({ name, context_key }: Pick<Position, 'name' | 'context_key'>): Omit<Position, 'id'> {
  const problems = new Problems('validation failed');
  const accepted = neededText({ maxLength: 255 }).parse(name);
  if (accepted instanceof ValueProblem) problems.add('name', accepted.problem);
  const context = optionalText({ maxLength: 100 }).parse(context_key);
  if (context instanceof ValueProblem || !contextForm.test(context)) {
    problems.add('context_key', 'must be the key of a context, or empty for every context');
  }
  problems.throwIfAny();
  return { name, context_key };
}
