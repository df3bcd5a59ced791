/** The site that `hcd init --starter` begins with: a folder in the layout of Gitify, and its files. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '../../src/errors/app-error.js';
import { copyAssets, keepOutOfGit, type Starter, starters } from '../../src/operations/sample/sample-files.js';
import { importSite } from '../../src/operations/transfer/transfer-site.js';
import type { Store } from '../../src/store/open/open.js';
import type { Deps } from '../deps.js';
import { openSiteRegistry } from '../open-store.js';
import { usageError } from '../parameters.js';
import { withSource } from '../transfer-source.js';
import type { ChosenDatabase } from './choose-database.js';

const none = 'nothing';
const choices = [none, ...starters] as const;
const question = { message: 'What does the site begin with?', flag: '--starter', choices };

interface Asked {
  readonly starter: Starter | undefined;
  readonly withDemo: boolean;
  readonly folder: string;
}

/** Throws refused for a folder that has a site already. */
export function checkStarter({ starter, withDemo, folder }: Asked): void {
  if (starter === undefined) return;
  if (withDemo) throw usageError({ '--starter': 'cannot be combined with the sample site' });
  const taken = ['.gitify', '_data'].map((name) => join(folder, name)).find((path) => existsSync(path));
  if (taken === undefined) return;
  throw new AppError('refused', { message: `${taken} already exists: a starter needs a folder without a site` });
}

/** Throws refused for a database or a folder that has a site already. */
export async function chooseStarter(
  { prompt }: Deps,
  { database: { found }, ...asked }: Asked & { readonly database: ChosenDatabase },
): Promise<Starter | null> {
  const isFree = found === null || (found.kind !== 'attached' && found.resources === 0);
  const chosen =
    asked.starter ?? (asked.withDemo || !isFree || !prompt.isInteractive ? none : await prompt.choose(question));
  if (chosen === none) return null;
  checkStarter({ ...asked, starter: chosen });
  if (!isFree) throw new AppError('refused', { message: 'A starter needs a database without content' });
  return chosen;
}

export async function loadStarter(deps: Deps, { store, starter, folder, files }: StarterPlace): Promise<void> {
  await copyAssets(['starters', starter, 'site'], folder);
  await copyAssets(['starters', starter, 'files'], files);
  await keepOutOfGit(folder);
  const registry = await openSiteRegistry({ ...deps.loadConfig().config, cwd: deps.cwd }, store);
  const how = { isDry: false, isAtomic: true, isTrusted: false, onConflict: 'update', by: deps.writer } as const;
  await withSource(deps, { file: folder, doing: 'Importing' }, (source) =>
    importSite({ store, registry }, { ...how, source }),
  );
}

interface StarterPlace {
  readonly store: Store;
  readonly starter: Starter;
  readonly folder: string;
  readonly files: string;
}
