/** Makes every process forget what it keeps of the content, for changes that nothing reported. */
import type { Store } from '../../store/open/open.js';
import { bumpContentGeneration } from '../../store/state/state.js';

/** A generation without a row in the log of changes may have changed anything: each process drops all it keeps. */
export async function clearAnswers({ own }: Pick<Store, 'own'>): Promise<void> {
  await own.write(bumpContentGeneration);
}
