/** The resources of a mutation, read and planned; all are written at the end, so that a refusal changes nothing. */

import { AppError } from '../../errors/app-error.js';
import type { Tx } from '../../store/base/database.js';
import type { ColumnValues } from '../../store/models/model.js';
import {
  encodeState,
  isResourceField,
  type ResourceField,
  type ResourceState,
  type ResourceTable,
  readChildren,
  readResources,
  updateResource,
  updateResources,
} from '../models/resources.js';

/** Deeper levels are a circle in damaged data. */
const maxDepth = 1000;

export interface PlannedRow {
  readonly before: ResourceState;
  readonly after: ResourceState;
  /** Only these are compared, because there may be tens of thousands of rows. */
  readonly touched: readonly ResourceField[];
}

interface RowGroup {
  readonly values: Partial<ResourceState>;
  readonly setsUri: boolean;
  readonly rows: ResourceState[];
}

export class PlannedRows {
  readonly #tx: Tx;
  readonly #table: ResourceTable;
  readonly #rows = new Map<number, PlannedRow>();
  readonly #planned = new Map<number, ResourceState>();

  constructor(tx: Tx, table: ResourceTable) {
    this.#tx = tx;
    this.#table = table;
  }

  add(row: ResourceState): void {
    if (!this.#rows.has(row.id)) this.#set({ before: row, after: row, touched: [] });
  }

  find(id: number): PlannedRow | undefined {
    return this.#rows.get(id);
  }

  get(id: number): ResourceState {
    const row = this.#rows.get(id);
    if (!row) throw new AppError('internal_error', { message: 'a planned row was never read' });
    return row.after;
  }

  change(id: number, values: Partial<ResourceState>): void {
    const row = this.#rows.get(id);
    if (!row) return;
    const touched = new Set([...row.touched, ...Object.keys(values).filter(isResourceField)]);
    this.#set({ before: row.before, after: { ...row.after, ...values }, touched: [...touched] });
  }

  #set(row: PlannedRow): void {
    this.#rows.set(row.before.id, row);
    this.#planned.set(row.before.id, row.after);
  }

  changed(): PlannedRow[] {
    return [...this.#rows.values()].filter((row) => changedFields(row).length > 0);
  }

  get planned(): ReadonlyMap<number, ResourceState> {
    return this.#planned;
  }

  async load(id: number): Promise<ResourceState | undefined> {
    if (id <= 0) return undefined;
    if (!this.#rows.has(id)) {
      for (const row of await readResources(this.#tx, this.#table, [id])) this.add(row);
    }
    return this.#rows.get(id)?.after;
  }

  async loadUpwards(id: number): Promise<ResourceState[]> {
    const chain: ResourceState[] = [];
    const met = new Set<number>();
    for (let at = id; at > 0 && !met.has(at) && chain.length < maxDepth; ) {
      met.add(at);
      const row = await this.load(at);
      if (!row) break;
      chain.push(row);
      at = row.parent;
    }
    return chain;
  }

  async loadBelow(id: number): Promise<number[]> {
    const found: number[] = [];
    const met = new Set([id]);
    for (let level = [id], depth = 0; level.length > 0 && depth < maxDepth; depth++) {
      const next: number[] = [];
      for (const row of await readChildren(this.#tx, this.#table, level)) {
        if (met.has(row.id)) continue;
        met.add(row.id);
        this.add(row);
        found.push(row.id);
        next.push(row.id);
      }
      level = next;
    }
    return found;
  }

  /** `own` has the long texts of one row, which is written even if nothing else of it has changed. */
  async write(own: { readonly id: number; readonly texts: ColumnValues } | null = null): Promise<void> {
    const ownRow = own === null ? undefined : this.#rows.get(own.id);
    if (own !== null && ownRow !== undefined) {
      const values = { ...encodeState(changedValues(ownRow)), ...own.texts };
      await updateResource(this.#tx, this.#table, { id: own.id, values });
    }
    const groups = new Map<string, RowGroup>();
    for (const row of this.changed()) {
      if (row === ownRow) continue;
      const { uri, ...values } = changedValues(row);
      const name = JSON.stringify([uri !== undefined, values]);
      const group: RowGroup = groups.get(name) ?? { values, setsUri: uri !== undefined, rows: [] };
      groups.set(name, group);
      group.rows.push(row.after);
    }
    for (const { values, setsUri, rows } of groups.values()) {
      await updateResources(this.#tx, this.#table, { rows, values: encodeState(values), setsUri });
    }
  }
}

function changedFields({ before, after, touched }: PlannedRow): ResourceField[] {
  return touched.filter((name) => before[name] !== after[name]);
}

function changedValues(row: PlannedRow): Partial<ResourceState> {
  return Object.fromEntries(changedFields(row).map((name) => [name, row.after[name]]));
}
