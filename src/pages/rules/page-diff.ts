/** The differences between two documents, section by section and value by value. */
import { isJsonObject, isSameJson } from '../../values/json.js';
import type { PageDocument, PageSection } from './page-document.js';

export interface ValueChange {
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
}

export interface SectionChange {
  readonly kind: 'added' | 'removed' | 'changed' | 'moved';
  readonly id: string;
  readonly type: string;
  /** From 0; null where the section is not there. */
  readonly before: number | null;
  readonly after: number | null;
  /** Empty for sections that only moved; every value for those that came or went. */
  readonly values: readonly ValueChange[];
}

/** Changes in the order of the later document, then removals in the order of the earlier one. */
export function diffPageDocuments(earlier: PageDocument, later: PageDocument): readonly SectionChange[] {
  const before = placesById(earlier.sections);
  const after = placesById(later.sections);
  const moved = movedIds(earlier.sections, after);
  const changes: SectionChange[] = [];
  for (const [at, section] of later.sections.entries()) {
    const place = before.get(section.id) ?? null;
    const old = place === null ? undefined : earlier.sections[place];
    const values = sectionChanges(old, section);
    const kind = !old ? 'added' : values.length > 0 ? 'changed' : moved.has(section.id) ? 'moved' : null;
    if (kind) changes.push({ kind, id: section.id, type: section.type, before: place, after: at, values });
  }
  for (const [at, section] of earlier.sections.entries()) {
    if (after.has(section.id)) continue;
    const values = sectionChanges(section, undefined);
    changes.push({ kind: 'removed', id: section.id, type: section.type, before: at, after: null, values });
  }
  return changes;
}

function placesById(sections: readonly PageSection[]): ReadonlyMap<string, number> {
  return new Map(sections.map(({ id }, at) => [id, at]));
}

const compared = ['type', 'typeVersion', 'enabled', 'data', 'settings'] as const;

function sectionChanges(before: PageSection | undefined, after: PageSection | undefined): readonly ValueChange[] {
  return compared.flatMap((name) => valueChanges(name, { before: before?.[name], after: after?.[name] }));
}

function valueChanges(path: string, { before, after }: Omit<ValueChange, 'path'>): readonly ValueChange[] {
  if (isSameJson(before, after)) return [];
  const isBranch = (value: unknown): boolean => value === undefined || isJsonObject(value) || Array.isArray(value);
  if (!isBranch(before) || !isBranch(after)) return [{ path, before, after }];
  // An object that replaces a list has nothing in common with it.
  if (before !== undefined && after !== undefined && Array.isArray(before) !== Array.isArray(after)) {
    return [{ path, before, after }];
  }
  const inner = innerNames(before, after);
  if (inner.length === 0) return [{ path, before, after }];
  return inner.flatMap((name) => {
    const isItem = Array.isArray(before ?? after);
    const way = isItem ? `${path}[${name}]` : `${path}.${name}`;
    return valueChanges(way, { before: memberAt(before, name), after: memberAt(after, name) });
  });
}

function innerNames(before: unknown, after: unknown): readonly string[] {
  const names = [before, after].flatMap((value) =>
    typeof value === 'object' && value !== null ? Object.keys(value) : [],
  );
  return [...new Set(names)];
}

function memberAt(value: unknown, name: string): unknown {
  if (Array.isArray(value)) return value[Number(name)];
  return isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** The fewest sections that must have been moved: all but a longest run that kept its order. */
function movedIds(earlier: readonly PageSection[], after: ReadonlyMap<string, number>): ReadonlySet<string> {
  const common = earlier.flatMap(({ id }) => (after.has(id) ? [{ id, place: after.get(id) ?? 0 }] : []));
  // ends[n] is the entry that ends the run of n + 1 sections with the smallest place.
  const ends: number[] = [];
  const previous: (number | undefined)[] = [];
  for (const [at, { place }] of common.entries()) {
    const found = ends.findIndex((end) => (common[end]?.place ?? 0) >= place);
    const length = found < 0 ? ends.length : found;
    previous[at] = ends[length - 1];
    ends[length] = at;
  }
  const kept = new Set<string>();
  for (let at = ends.at(-1); at !== undefined; at = previous[at]) kept.add(common[at]?.id ?? '');
  return new Set(common.map(({ id }) => id).filter((id) => !kept.has(id)));
}
