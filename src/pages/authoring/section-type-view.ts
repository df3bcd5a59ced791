/** Section types as commands show them: what is in force, what is hidden, and where each comes from. */

import { nearMatch } from '../../config/near-match.js';
import { AppError } from '../../errors/app-error.js';
import type { Reader } from '../../store/base/database.js';
import { type SectionTypeRow, sectionTypes } from '../models/section-types.js';
import { formatPageProblem } from '../rules/page-problem.js';
import type { SectionType } from '../rules/section-type.js';
import { readStoredType, shippedDefinition, shippedTypes } from './section-types.js';

/** `changed` replaces a shipped type; `unreadable` is stored in a form that this version refuses. */
type SectionTypeState = 'shipped' | 'changed' | 'own' | 'hidden' | 'unreadable';

export interface SectionTypeView {
  readonly key: string;
  readonly state: SectionTypeState;
  /** The type, also while it is hidden; null when it is unreadable. */
  readonly type: SectionType | null;
  /** The definition as it is imported. */
  readonly definition: unknown;
  /** Why it is unreadable. */
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

/** Throws not_found with the key that was probably meant. */
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
