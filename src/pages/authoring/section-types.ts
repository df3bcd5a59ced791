/** The section types in force: shipped ones overlaid by those of the site. Unreadable definitions are left out. */
import { nearMatch } from '../../config/near-match.js';
import { AppError } from '../../errors/app-error.js';
import type { Reader } from '../../store/base/database.js';
import { type JsonObject, parseJson } from '../../values/json.js';
import { readAsset } from '../../values/read-asset.js';
import { type SectionTypeRow, sectionTypes } from '../models/section-types.js';
import { formatPageProblem, type PageReading, requireValue } from '../rules/page-problem.js';
import { readSectionType, readSectionTypes } from '../rules/read-section-type.js';
import type { SectionType, SectionTypes } from '../rules/section-type.js';

export const shippedKeys: readonly string[] = [
  ...['hero', 'richtext', 'image', 'gallery', 'video', 'faq', 'cards', 'stats', 'testimonials', 'cta', 'contact'],
  'spacer',
];

let shipped: readonly SectionType[] | undefined;

/** Read on first use: most commands never need them. */
export function shippedTypes(): readonly SectionType[] {
  shipped ??= requireValue(
    readSectionTypes(shippedKeys.map(shippedDefinition)),
    'The shipped section types are damaged',
  );
  return shipped;
}

/** As `hcd section-type import` takes it. The file in `assets/section-types` holds JSON, then the template. */
export function shippedDefinition(key: string): JsonObject | undefined {
  if (!shippedKeys.includes(key)) return undefined;
  const text = readAsset('section-types', `${key}.liquid`).toString();
  const end = text.indexOf('\n---\n');
  return { ...JSON.parse(text.slice('---\n'.length, end)), template: text.slice(end + '\n---\n'.length, -1) };
}

export async function loadSectionTypes(own: Reader): Promise<SectionTypes> {
  const types = new Map(shippedTypes().map((type) => [type.key, type]));
  for (const { key, definition } of await sectionTypes.on(own).lookUpAll({}, { order: ['key'] })) {
    const type = definition === null ? null : readStoredType(key, definition).value;
    if (type) types.set(key, type);
    else types.delete(key);
  }
  return types;
}

function readStoredType(key: string, definition: string): PageReading<SectionType> {
  const given = parseJson(definition);
  if (given === undefined) return { value: null, problems: [{ path: '', message: 'is not JSON' }] };
  const { value, problems } = readSectionType(given);
  if (value && value.key !== key) {
    return { value: null, problems: [{ path: 'key', message: `is ${value.key} in the row of ${key}` }] };
  }
  return { value, problems };
}

/** `changed` replaces a shipped type; `unreadable` is stored in a form that this version refuses. */
type SectionTypeState = 'shipped' | 'changed' | 'own' | 'hidden' | 'unreadable';

export interface SectionTypeView {
  readonly key: string;
  readonly state: SectionTypeState;
  /** Also while it is hidden; null when it is unreadable. */
  readonly type: SectionType | null;
  readonly definition: unknown;
  readonly problem: string | null;
  /** Unix milliseconds; null for a shipped type as it is. */
  readonly changedOn: number | null;
  readonly changedBy: string | null;
}

/** Shipped types in their order, then those of the site by key. */
export async function listSectionTypes(own: Reader): Promise<readonly SectionTypeView[]> {
  const rows = new Map((await sectionTypes.on(own).lookUpAll({}, { order: ['key'] })).map((row) => [row.key, row]));
  const shipped = shippedTypes().map((type) => viewOf({ key: type.key, shipped: type, row: rows.get(type.key) }));
  const keys = new Set(shipped.map(({ key }) => key));
  const others = [...rows.values()].filter(({ key }) => !keys.has(key));
  return [...shipped, ...others.map((row) => viewOf({ key: row.key, shipped: null, row }))];
}

/** Throws not_found with the closest key. */
export async function loadSectionType(own: Reader, key: string): Promise<SectionTypeView> {
  const views = await listSectionTypes(own);
  const view = views.find((one) => one.key === key);
  if (view) return view;
  const near = nearMatch(
    key,
    views.map((one) => one.key),
  );
  const hint = near === undefined ? '; hcd section-type list shows all' : `; did you mean "${near}"?`;
  throw new AppError('not_found', { message: `There is no section type ${JSON.stringify(key)}${hint}` });
}

function viewOf(found: {
  readonly key: string;
  readonly shipped: SectionType | null;
  readonly row: SectionTypeRow | undefined;
}): SectionTypeView {
  const { key, shipped, row } = found;
  const changed = { changedOn: row?.changedOn ?? null, changedBy: row?.changedBy ?? null };
  if (!row || row.definition === null) {
    const state = row ? 'hidden' : 'shipped';
    return { key, state, type: shipped, definition: shippedDefinition(key), problem: null, ...changed };
  }
  const { value: type, problems } = readStoredType(key, row.definition);
  if (!type) {
    const problem = problems.map(formatPageProblem).join('; ');
    return { key, state: 'unreadable', type, definition: row.definition, problem, ...changed };
  }
  const definition: unknown = JSON.parse(row.definition);
  return { key, state: shipped ? 'changed' : 'own', type, definition, problem: null, ...changed };
}
