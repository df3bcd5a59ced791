/**
 * The resources that a mutation looks at: each as it was read and as it is to be. Rules change the plan only; the rows
 * are written together at the end, so that a refusal leaves no half of a change, even where there is no rollback.
 */

import { AppError } from '../../errors/app-error.js';
import type { Tx } from '../../store/base/database.js';
import {
  encodeState,
  isResourceField,
  type ResourceField,
  type ResourceState,
  type ResourceTable,
  readChildren,
  readResources,
  updateResources,
} from '../models/resources.js';

/** Levels of a tree that are followed; more than that is a circle in damaged data. */
const maxDepth = 1000;

export interface PlannedRow {
  readonly before: ResourceState;
  readonly after: ResourceState;
  /** Every field that a rule has set: only these are compared, because there may be tens of thousands of rows. */
  readonly touched: readonly ResourceField[];
}

/** Rows that get the same values. */
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

  /** Adds a row as it was read, unless it is there already. */
  add(row: ResourceState): void {
    if (!this.#rows.has(row.id)) this.#set({ before: row, after: row, touched: [] });
  }

  find(id: number): PlannedRow | undefined {
    return this.#rows.get(id);
  }

  /** The row as it is to be; it must have been added. */
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

  /** Rows with a changed field, in the order in which they were added. */
  changed(): PlannedRow[] {
    return [...this.#rows.values()].filter((row) => changedFields(row).length > 0);
  }

  /** All rows as they are to be. */
  get planned(): ReadonlyMap<number, ResourceState> {
    return this.#planned;
  }

  /** Reads a resource that may be a parent; undefined when there is none. */
  async load(id: number): Promise<ResourceState | undefined> {
    if (id <= 0) return undefined;
    if (!this.#rows.has(id)) {
      for (const row of await readResources(this.#tx, this.#table, [id])) this.add(row);
    }
    return this.#rows.get(id)?.after;
  }

  /** Reads the resource and everything above it; gives the chain from the resource upwards, as it is to be. */
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

  /** Reads everything below the resource, level by level; gives the ids, those of a level together. */
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

  /** Writes the changed rows except one, which its mutation writes itself with its long texts. */
  async write({ except }: { readonly except: number }): Promise<void> {
    const groups = new Map<string, RowGroup>();
    for (const row of this.changed()) {
      if (row.after.id === except) continue;
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

/** The changed fields with their new values. */
export function changedValues(row: PlannedRow): Partial<ResourceState> {
  return Object.fromEntries(changedFields(row).map((name) => [name, row.after[name]]));
}
