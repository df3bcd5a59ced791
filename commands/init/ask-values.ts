/** The later questions of `hcd init`: sample site, APIs, first key. */
import { publicUrlValue } from '../../src/config/address-values.js';
import { type ApiName, apiNames } from '../../src/config/value-type.js';
import { AppError } from '../../src/errors/app-error.js';
import { scopesValue } from '../credentials.js';
import type { Deps } from '../deps.js';
import { usageError } from '../parameters.js';
import { askValue } from '../prompt.js';
import type { ChosenDatabase } from './choose-database.js';

/** Elsewhere the flag is refused before anything is written. */
export async function chooseDemo(
  { prompt }: Deps,
  { wanted, database }: { readonly wanted: boolean; readonly database: ChosenDatabase },
): Promise<boolean> {
  const { found } = database;
  if (wanted && found?.kind === 'attached') {
    throw new AppError('refused', {
      message: 'The sample site cannot be loaded into the database of an existing site',
    });
  }
  const isFree = found === null || (found.kind !== 'attached' && found.resources === 0);
  if (wanted || !isFree || !prompt.isInteractive) return wanted;
  return prompt.confirm({ message: 'Load the sample site?', flag: '--demo' });
}

export function chooseApis({ prompt }: Deps, withDemo: boolean): Promise<readonly ApiName[]> {
  return prompt.chooseMany({
    message: 'Which APIs do you want to turn on?',
    flag: '--apis',
    choices: apiNames,
    default: withDemo ? apiNames : ['gateway'],
  });
}

/** Undefined: the site keeps the address that it has. */
export async function chooseSiteUrl(
  { prompt }: Deps,
  { given, database }: { readonly given: string | undefined; readonly database: ChosenDatabase },
): Promise<string | undefined> {
  if (given !== undefined || !prompt.isInteractive || !database.needsSiteUrl) return given;
  return askValue(prompt, {
    message: 'Address of the site for its visitors, such as https://example.com (empty: not known yet)',
    flag: '--site-url',
    type: publicUrlValue,
    value: '',
  });
}

interface KeyChoice {
  readonly scopes: readonly string[] | undefined;
  readonly without: boolean;
  readonly withDemo: boolean;
  readonly isWanted: boolean;
}

export async function chooseKeyScopes(
  { prompt }: Deps,
  { scopes, without, withDemo, isWanted }: KeyChoice,
): Promise<readonly string[] | null> {
  if (scopes !== undefined && without) throw usageError({ '--without-key': 'cannot be combined with --key-scopes' });
  if (scopes !== undefined && withDemo) {
    throw usageError({ '--key-scopes': 'cannot be combined with the sample site, which comes with a key' });
  }
  if (scopes !== undefined) return scopes;
  if (without || withDemo || !isWanted) return null;
  const question = { message: 'Create a first API key?', flag: '--without-key', default: true };
  if (prompt.isInteractive && !(await prompt.confirm(question))) return null;
  return askValue(prompt, {
    message: 'Scopes of the key, separated by commas',
    flag: '--key-scopes',
    type: scopesValue,
    value: ['resources.read'],
  });
}
