/** Puts section types in force: all of an import or none. */

import type { Store } from '../../store/open/open.js';
import { isSameJson } from '../../values/json.js';
import { putSectionType, sectionTypes } from '../models/section-types.js';
import { requireValue } from '../rules/page-problem.js';
import { readSectionTypes } from '../rules/read-section-type.js';
import { announceSectionTypes } from './announce.js';
import { listSectionTypes, type SectionTypeView } from './section-type-view.js';
import { shippedDefinition } from './section-types.js';

/** `restored`: the definition is the shipped one, which is in force again. */
export type ImportOutcome = 'added' | 'replaced' | 'restored' | 'unchanged';

export interface ImportedType {
  readonly key: string;
  readonly version: number;
  readonly outcome: ImportOutcome;
  /** Version that was in force; null when the key was not. */
  readonly replaced: number | null;
}

interface TypesImport {
  /** One definition or a list of them, as given. */
  readonly given: unknown;
  readonly by: string;
  /** Checks and changes nothing. */
  readonly dryRun: boolean;
}

/** The outcome for each, in the order given. Throws validation_failed with every problem by its path. */
export async function importSectionTypes(
  { own }: Pick<Store, 'own'>,
  { given, by, dryRun }: TypesImport,
): Promise<readonly ImportedType[]> {
  const types = requireValue(readSectionTypes(given), 'The section types cannot be imported');
  const definitions: readonly unknown[] = Array.isArray(given) ? given : [given];
  const plan = (views: readonly SectionTypeView[]) =>
    types.map(({ key, version }, at): ImportedType => {
      const view = views.find((one) => one.key === key);
      const isInForce = view !== undefined && view.state !== 'hidden';
      const replaced = isInForce ? (view.type?.version ?? null) : null;
      return { key, version, replaced, outcome: outcomeOf(view, definitions[at]) };
    });
  if (dryRun) return plan(await listSectionTypes(own.primary));
  return own.write(
    async (tx) => {
      const planned = plan(await listSectionTypes(tx));
      for (const [at, { key, outcome }] of planned.entries()) {
        if (outcome === 'restored') await sectionTypes.on(tx).destroy({ where: { key } });
        else if (outcome !== 'unchanged') {
          await putSectionType(tx, { key, definition: JSON.stringify(definitions[at]), changedBy: by });
        }
      }
      if (planned.some(({ outcome }) => outcome !== 'unchanged')) await announceSectionTypes(tx);
      return planned;
    },
    // Repeating it changes nothing more.
    { outcome: async () => undefined },
  );
}

function outcomeOf(view: SectionTypeView | undefined, definition: unknown): ImportOutcome {
  if (!view) return 'added';
  if (view.state !== 'hidden' && isSameJson(view.definition, definition)) return 'unchanged';
  const shipped = shippedDefinition(view.key);
  if (shipped !== undefined && isSameJson(shipped, definition)) return 'restored';
  return view.state === 'hidden' ? 'added' : 'replaced';
}
