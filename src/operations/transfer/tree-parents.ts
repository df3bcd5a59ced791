/** The parents of the rows of a tree, as a file changes them: no row may end up below itself. */
import type { Reader } from '../../store/base/database.js';

export class TreeParents {
  /** By id: read, or of a record that is about to be written. */
  readonly #parents = new Map<number, number>();

  set(id: number, parent: number): void {
    this.#parents.set(id, parent);
  }

  forget(): void {
    this.#parents.clear();
  }

  async isBelow(id: number, above: number, { reader, table }: { readonly reader: Reader; readonly table: string }) {
    const seen = new Set<number>();
    // A loop in the store is damage, and ends here.
    for (let at = id; at !== 0 && !seen.has(at); seen.add(at), at = await this.#parentOf(at, { reader, table })) {
      if (at === above) return true;
    }
    return false;
  }

  async #parentOf(id: number, { reader, table }: { readonly reader: Reader; readonly table: string }): Promise<number> {
    const known = this.#parents.get(id);
    if (known !== undefined) return known;
    const [row] = await reader.select({ sql: `SELECT \`parent\` FROM \`${table}\` WHERE \`id\` = ?`, params: [id] });
    const parent = Number(row?.[0] ?? 0);
    this.#parents.set(id, parent);
    return parent;
  }
}
