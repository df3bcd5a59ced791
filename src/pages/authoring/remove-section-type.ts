/** Removes a section type: a definition of the site is deleted, a shipped type is hidden. */
import { AppError } from '../../errors/app-error.js';
import type { Store } from '../../store/open/open.js';
import { putSectionType, sectionTypes } from '../models/section-types.js';
import { announceSectionTypes } from './announce.js';
import { findTypeUses } from './section-type-uses.js';
import { loadSectionType, type SectionTypeView } from './section-type-view.js';
import { shippedDefinition } from './section-types.js';

/** `shipped again`: the definition of the site replaced a shipped one, which is in force again. */
export type RemovalOutcome = 'deleted' | 'hidden' | 'shipped again' | 'was hidden';

export interface RemovedType {
  readonly key: string;
  readonly outcome: RemovalOutcome;
  /** Pages whose sections of the type can no longer be rendered. */
  readonly uses: readonly number[];
}

interface TypeRemoval {
  readonly key: string;
  /** Remove it although pages use it. */
  readonly force: boolean;
  readonly by: string;
}

/** Throws not_found, and refused when pages use the type. */
export async function removeSectionType(
  { own }: Pick<Store, 'own'>,
  { key, force, by }: TypeRemoval,
): Promise<RemovedType> {
  const found = await loadSectionType(own.primary, key);
  const uses = isLeavingNone(found) ? await findTypeUses(own.primary, key) : [];
  if (uses.length > 0 && !force) throw inUse(key, uses);
  const outcome = await own.write(async (tx) => {
    const view = await loadSectionType(tx, key);
    if (view.state === 'hidden') return 'was hidden';
    if (view.state === 'shipped') await putSectionType(tx, { key, definition: null, changedBy: by });
    else await sectionTypes.on(tx).destroy({ where: { key } });
    await announceSectionTypes(tx);
    return outcomeOf(view);
  });
  return { key, outcome, uses };
}

function outcomeOf({ key, state }: SectionTypeView): RemovalOutcome {
  if (state === 'shipped') return 'hidden';
  return shippedDefinition(key) === undefined ? 'deleted' : 'shipped again';
}

/** Whether the key has a type now and none afterwards. */
function isLeavingNone(view: SectionTypeView): boolean {
  return view.state === 'shipped' || view.state === 'own';
}

function inUse(key: string, uses: readonly number[]): AppError {
  const [shown, rest] = [uses.slice(0, 5).join(', '), uses.length > 5 ? ', …' : ''];
  return new AppError('refused', {
    message: `Section type ${key} is on ${uses.length} ${uses.length === 1 ? 'page' : 'pages'} (${shown}${rest}): their sections could no longer be rendered. --force removes it nevertheless`,
  });
}
