/** Removes a section type: a definition of the site is deleted, a shipped type is hidden. */
import { AppError } from '../../errors/app-error.js';
import type { Store } from '../../store/open/open.js';
import { putSectionType, sectionTypes } from '../models/section-types.js';
import { announceSectionTypes } from './announce.js';
import { findTypeUses } from './section-type-uses.js';
import { loadSectionType } from './section-type-view.js';
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
  const { state: found } = await loadSectionType(own.primary, key);
  const leavesNone = found === 'shipped' || found === 'own';
  const uses = leavesNone ? await findTypeUses(own.primary, key) : [];
  if (uses.length > 0 && !force) throw inUse(key, uses);
  const outcome = await own.write(async (tx): Promise<RemovalOutcome> => {
    const { state } = await loadSectionType(tx, key);
    if (state === 'hidden') return 'was hidden';
    if (state === 'shipped') await putSectionType(tx, { key, definition: null, changedBy: by });
    else await sectionTypes.on(tx).destroy({ where: { key } });
    await announceSectionTypes(tx);
    if (state === 'shipped') return 'hidden';
    return shippedDefinition(key) === undefined ? 'deleted' : 'shipped again';
  });
  return { key, outcome, uses };
}

function inUse(key: string, uses: readonly number[]): AppError {
  const [shown, rest] = [uses.slice(0, 5).join(', '), uses.length > 5 ? ', …' : ''];
  return new AppError('refused', {
    message: `Section type ${key} is on ${uses.length} ${uses.length === 1 ? 'page' : 'pages'} (${shown}${rest}): their sections could no longer be rendered. --force removes it nevertheless`,
  });
}
