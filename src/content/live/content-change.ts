/** A change of content as processes exchange it, reported once whichever process made it. */

import { Op } from 'sequelize';
import type { Reader, Tx } from '../../store/base/database.js';
import { nowMilliseconds } from '../../store/base/dialect.js';
import { bumpContentGeneration, readContentGeneration } from '../../store/state/state.js';
import { isJsonObject, parseJson } from '../../values/json.js';
import type { EventSource } from '../../webhooks/rules/events.js';
import { changes } from '../models/changes.js';
import { type Cells, cellsOf } from '../reading/may-match.js';
import type { ContentReader } from '../reading/select-rows.js';
import { type FieldValues, type Mutation, mediaObject, type RowChange } from './mutation.js';

/** Larger changes are not listed: dropping all answers costs less than comparing every answer with every row. */
const mostRows = 500;
const mostCharacters = 262_144;
/** A key that stands for each row of an object. */
export const anyRow = '*';

export const unknownChange = (object: string, key: RowChange['key']): RowChange => ({
  object,
  key,
  before: {},
  after: {},
});

export interface ContentChange {
  readonly generation: number;
  readonly rows: readonly RowChange[] | null;
  /** Default: hcd. */
  readonly source?: EventSource | undefined;
}

export interface ChangedRow {
  readonly set: string;
  readonly before: Cells | null;
  readonly after: Cells | null;
}

interface WrittenChange extends Pick<Mutation, 'rows'>, Pick<ContentChange, 'source'> {
  readonly changesAll?: boolean;
}

export function writeChangedRows({ rows, changesAll, source }: WrittenChange): string | null {
  const nothingListed = source === undefined ? null : JSON.stringify({ source });
  if (changesAll === true || rows.length > mostRows) return nothingListed;
  const list = rows.map(({ object, key, before, after }) => [object, key, before, after]);
  const text = JSON.stringify(source === undefined ? list : { source, rows: list });
  return text.length > mostCharacters ? nothingListed : text;
}

export async function writeChange(
  tx: Tx,
  { generation, payload }: { readonly generation: number; readonly payload: string | null },
): Promise<void> {
  const sql = `INSERT INTO \`hcd_changes\` (\`generation\`, \`created_on\`, \`payload\`) VALUES (?, ${nowMilliseconds(tx.dialect)}, ?)`;
  await tx.run({ sql, params: [generation, payload] });
}

export async function logChange(tx: Tx, change: WrittenChange): Promise<number> {
  const generation = await bumpContentGeneration(tx);
  await writeChange(tx, { generation, payload: writeChangedRows(change) });
  return generation;
}

/** The rows are null where any may have changed, and for a text of another version of the program. */
export function readChangedRows(text: string | null): Pick<ContentChange, 'rows' | 'source'> {
  const value = parseJson(text ?? '');
  const isForeign = isJsonObject(value) && value['source'] === 'cms';
  const list = isForeign ? value['rows'] : value;
  const rows = Array.isArray(list) ? list.map(readRow) : [null];
  return {
    rows: rows.includes(null) ? null : rows.filter((row) => row !== null),
    source: isForeign ? 'cms' : undefined,
  };
}

function readRow(entry: unknown): RowChange | null {
  if (!Array.isArray(entry)) return null;
  const [object, key, before, after]: readonly unknown[] = entry;
  if (typeof object !== 'string' || (typeof key !== 'string' && typeof key !== 'number')) return null;
  return isValues(before) && isValues(after) ? { object, key, before, after } : null;
}

function isValues(value: unknown): value is FieldValues | null {
  return typeof value === 'object' && !Array.isArray(value);
}

/** Without files, which are no rows. Null when a row belongs to an object that this process does not serve. */
export function changedRows(
  { registry, table }: Pick<ContentReader, 'registry' | 'table'>,
  rows: readonly RowChange[],
): readonly ChangedRow[] | null {
  const changed: ChangedRow[] = [];
  for (const { object, key, before, after } of rows) {
    if (object === mediaObject) continue;
    const definition = registry.objects.get(object);
    if (definition === undefined) return null;
    const named = key === anyRow ? {} : { [definition.primaryKey]: key };
    const cells = (values: FieldValues | null): Cells | null =>
      values === null ? null : cellsOf(definition, { ...named, ...values });
    changed.push({ set: table(definition).name, before: cells(before), after: cells(after) });
  }
  return changed;
}

const mostMissed = 1000;

/** 'everything' when it can no longer be known. */
type ChangedBy = Readonly<Record<EventSource, readonly RowChange[] | 'everything'>>;

export const anything: ChangedBy = { hcd: 'everything', cms: 'everything' };

type ChangeListener = (rows: readonly RowChange[] | 'everything', source: EventSource) => void;

/** A gap in the log counts as a change of everything. */
export class ChangeFollower {
  readonly #own: Reader;
  readonly #listeners: ChangeListener[] = [];
  /** Every generation up to this one has been reported; null before the first reading. */
  #reported: number | null = null;
  /** Reported before an earlier generation. */
  readonly #ahead = new Set<number>();

  constructor(own: Reader) {
    this.#own = own;
  }

  newest(): number {
    return Math.max(this.#reported ?? 0, ...this.#ahead);
  }

  position(): string {
    return `${this.#reported ?? 0}`;
  }

  async changedSince(position: string): Promise<ChangedBy> {
    if (!/^\d{1,15}$/.test(position)) return anything;
    const [generation, upTo] = [Number(position), this.#reported ?? 0];
    const missed = generation < upTo ? await this.#read(generation, upTo) : [];
    const isWhole = missed.length === upTo - generation && missed.every(({ rows }) => rows !== null);
    const by = (source: EventSource) =>
      missed.flatMap((change) => ((change.source ?? 'hcd') === source ? (change.rows ?? []) : []));
    return isWhole ? { hcd: by('hcd'), cms: by('cms') } : anything;
  }

  /** Who changed more than the listed rows between the two generations: this program with a number, others without. */
  async writerSince(before: number, generation: number): Promise<EventSource> {
    if (generation === before) return 'cms';
    const missed = await this.#read(before, generation);
    const isOurs = missed.some(({ rows, source }) => rows === null && source === undefined);
    return missed.length < generation - before || isOurs ? 'hcd' : 'cms';
  }

  onChange(listener: ChangeListener): void {
    this.#listeners.push(listener);
  }

  apply({ generation, rows, source = 'hcd' }: ContentChange): void {
    if (this.#isReported(generation)) return;
    this.#ahead.add(generation);
    this.#advance();
    this.#report(rows ?? 'everything', source);
  }

  /** Call it before reading the generation, and its result with it: a change reported meanwhile may be newer. */
  begin(): (generation: number) => Promise<void> {
    const before = this.#reported;
    return (generation) => this.#follow(generation, before);
  }

  async look(): Promise<void> {
    await this.begin()(await readContentGeneration(this.#own));
  }

  async #follow(generation: number, before: number | null): Promise<void> {
    if (this.#reported === null) {
      this.#reported = generation;
      this.#advance();
      return;
    }
    if (before !== null && generation < before) {
      // The database was restored to an earlier state, or replaced.
      this.#reported = generation;
      this.#ahead.clear();
      this.#report('everything', 'hcd');
      return;
    }
    if (generation <= this.#reported) return;
    const missed = await this.#read(this.#reported, generation);
    for (const change of missed) this.apply(change);
    // Some may have been reported meanwhile; the rest have no row in the log.
    if (this.#reported < generation) {
      this.#reported = generation;
      this.#advance();
      this.#report('everything', 'hcd');
    }
  }

  async #read(after: number, upTo: number): Promise<ContentChange[]> {
    if (upTo - after > mostMissed) return [];
    const rows = await changes.on(this.#own).findAll({
      attributes: ['generation', 'payload'],
      where: { generation: { [Op.gt]: after, [Op.lte]: upTo } },
      order: ['generation'],
    });
    return rows.map(({ generation, payload }) => ({ generation, ...readChangedRows(payload) }));
  }

  #isReported(generation: number): boolean {
    return (this.#reported !== null && generation <= this.#reported) || this.#ahead.has(generation);
  }

  #advance(): void {
    if (this.#reported === null) return;
    for (const generation of this.#ahead) if (generation <= this.#reported) this.#ahead.delete(generation);
    while (this.#ahead.delete(this.#reported + 1)) this.#reported += 1;
  }

  #report(...[rows, source]: Parameters<ChangeListener>): void {
    for (const listener of this.#listeners) listener(rows, source);
  }
}
