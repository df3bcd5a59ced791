/** Matches sections of two documents by id, content or likeness, so that they keep their ids. */
import type { PageSection } from './page-document.js';

/** `id` is empty where the section has none. */
type Section = Pick<PageSection, 'id' | 'type' | 'data'>;

interface Compared {
  readonly id: string;
  readonly type: string;
  readonly content: string;
  readonly members: ReadonlySet<string>;
}

/** Null where the section is new. */
export function keptIds(earlier: readonly Section[], later: readonly Section[]): readonly (string | null)[] {
  const given = new Set(later.map(({ id }) => id));
  const [before, after] = [earlier.map(comparedOf), later.map(comparedOf)];
  const ids = after.map(({ id }): string | null => (id === '' ? null : id));
  const isFree = (one: Compared): boolean => !given.has(one.id) && !ids.includes(one.id);
  for (const [from, to] of align(before, after, given)) ids[to] ??= before[from]?.id ?? null;
  for (const [at, { content }] of after.entries()) {
    ids[at] ??= before.find((one) => one.content === content && isFree(one))?.id ?? null;
  }
  return ids;
}

function comparedOf({ id, type, data }: Section): Compared {
  const members = Object.entries(data).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  return { id, type, content: `${type} ${members.sort().join('\n')}`, members: new Set(members) };
}

/** Pairs of places in the order of both lists with the highest total similarity. */
function align(
  before: readonly Compared[],
  after: readonly Compared[],
  given: ReadonlySet<string>,
): readonly (readonly [number, number])[] {
  const width = after.length + 1;
  // best[from * width + to] is the sum for what follows these places.
  const best = new Float64Array((before.length + 1) * width);
  const pairs = new Float64Array(best.length);
  for (let from = before.length - 1; from >= 0; from -= 1) {
    for (let to = after.length - 1; to >= 0; to -= 1) {
      const at = from * width + to;
      pairs[at] = likeness(before[from], after[to], given);
      const together = pairs[at] > 0 ? pairs[at] + (best[at + width + 1] ?? 0) : 0;
      best[at] = Math.max(together, best[at + width] ?? 0, best[at + 1] ?? 0);
    }
  }
  const found: [number, number][] = [];
  for (let from = 0, to = 0; from < before.length && to < after.length; ) {
    const at = from * width + to;
    const [here = 0, pair = 0] = [best[at], pairs[at]];
    if (pair > 0 && here === pair + (best[at + width + 1] ?? 0)) {
      found.push([from, to]);
      from += 1;
      to += 1;
    } else if (here === best[at + width]) from += 1;
    else to += 1;
  }
  return found;
}

/** More than any number of members in common in all sections. */
const sameContent = 1e6;
/** More than the same content in all sections. */
const sameId = 1e12;

/** 0 where they cannot be one section. */
function likeness(one: Compared | undefined, other: Compared | undefined, given: ReadonlySet<string>): number {
  if (!one || !other) return 0;
  if (other.id !== '' || given.has(one.id)) return one.id === other.id ? sameId : 0;
  if (one.type !== other.type) return 0;
  if (one.content === other.content) return sameContent;
  let common = 1;
  for (const member of other.members) if (one.members.has(member)) common += 1;
  return common;
}
