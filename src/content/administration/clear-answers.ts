/** Makes every process drop its kept answers, after changes that no program reported. */
import type { Store } from '../../store/open/open.js';
import { bumpContentGeneration } from '../../store/state/state.js';

/** A generation without a row in the log of changes makes each process drop all its kept answers. */
export async function clearAnswers({ own }: Pick<Store, 'own'>): Promise<void> {
  await own.write(bumpContentGeneration);
}
