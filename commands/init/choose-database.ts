/** The first questions of `hcd init`: the database, and the prefix of its content tables. */
import { existsSync } from 'node:fs';
import { databaseUrlValue, resolveDatabaseUrl } from '../../src/config/address-values.js';
import { readOrigins } from '../../src/content/settings/settings.js';
import { AppError } from '../../src/errors/app-error.js';
import { hasKeys } from '../../src/identity/keys/manage-keys.js';
import { describeStore, inspectStore, type StoreDescription } from '../../src/operations/doctor/inspect-store.js';
import type { OpenStoreOptions } from '../../src/store/open/open.js';
import type { Deps } from '../deps.js';
import { writeNote } from '../output.js';
import { usageError } from '../parameters.js';
import { askValue, notEmpty } from '../prompt.js';

export interface ChosenDatabase {
  readonly url: string;
  readonly prefix: string;
  /** Null: an embedded database whose file does not exist yet. */
  readonly found: StoreDescription | null;
  readonly hasKeys: boolean;
  readonly needsSiteUrl: boolean;
}

interface GivenDatabase {
  /** From the flag or the environment: then nothing is asked. */
  readonly url: string | undefined;
  readonly prefix: string | undefined;
  /** For the tables of the program, with an absolute path; null = none. */
  readonly ownUrl: string | null;
  readonly defaultUrl: string;
  readonly defaultPrefix: string;
}

const embedded = 'An embedded database in a file';
const server = 'A MariaDB or MySQL server';
const existing = 'The database of an existing MODX site';
type Kind = typeof embedded | typeof server | typeof existing;

/** Without a terminal the first answer counts. */
export async function chooseDatabase(deps: Deps, given: GivenDatabase): Promise<ChosenDatabase> {
  for (;;) {
    const { url, kind } = await askUrl(deps, given);
    try {
      const chosen = await examine(deps, { ...given, url });
      if (kind !== existing || chosen.found?.kind === 'attached') return chosen;
      say(deps, 'This is not the database of a MODX site.');
    } catch (error) {
      const canAskAgain = given.url === undefined && deps.prompt.isInteractive;
      if (!canAskAgain || !(error instanceof AppError) || error.kind !== 'unavailable') throw error;
      say(deps, error.message);
    }
  }
}

async function askUrl(deps: Deps, given: GivenDatabase): Promise<{ readonly url: string; readonly kind: Kind | null }> {
  if (given.url !== undefined) return { url: given.url, kind: null };
  if (!deps.prompt.isInteractive) return { url: given.defaultUrl, kind: null };
  const { prompt } = deps;
  const flag = '--database';
  const kind: Kind = await prompt.choose({
    message: 'Where is the content stored?',
    flag,
    choices: [embedded, server, existing],
    default: embedded,
  });
  if (kind === embedded) {
    const path = await prompt.text({
      message: 'Database file',
      flag,
      default: given.defaultUrl.replace(/^sqlite:/, ''),
      check: notEmpty,
    });
    return { url: path.startsWith('sqlite:') ? path : `sqlite:${path}`, kind };
  }
  const message = 'Database URL (mariadb://USER@HOST:PORT/DATABASE)';
  const url = await askValue(prompt, { message, flag, type: databaseUrlValue });
  return { url: await withPassword(deps, url), kind };
}

/** Prompted for separately, so that it is hidden while it is typed. */
async function withPassword({ prompt }: Deps, url: string): Promise<string> {
  const match = /^([a-z]+:\/\/[^:@/?#]+)(@.*)$/is.exec(url);
  if (match === null) return url;
  const password = await prompt.password({ message: 'Password (empty for none)', flag: '--database' });
  return password === '' ? url : `${match[1]}:${encodeURIComponent(password)}${match[2]}`;
}

async function examine(deps: Deps, given: GivenDatabase & { readonly url: string }): Promise<ChosenDatabase> {
  const { url } = given;
  const databaseUrl = resolveDatabaseUrl(url, deps.cwd);
  if (isMissingFile(databaseUrl)) {
    say(deps, `New embedded database: ${databaseUrl.slice('sqlite:'.length)}`);
    return { url, prefix: given.prefix ?? given.defaultPrefix, found: null, hasKeys: false, needsSiteUrl: true };
  }
  const own = given.ownUrl === null || isMissingFile(given.ownUrl) ? {} : { ownDatabaseUrl: given.ownUrl };
  const prefix = given.prefix ?? given.defaultPrefix;
  const seen = await look(deps, { databaseUrl, ...own, prefix });
  const { found } = seen;
  if (given.prefix !== undefined || found.kind !== 'empty' || found.otherPrefixes.length === 0) {
    return { url, prefix, ...seen };
  }
  const other = await choosePrefix(deps, { prefix, others: found.otherPrefixes });
  if (other === prefix) return { url, prefix, ...seen };
  return { url, prefix: other, ...(await look(deps, { databaseUrl, ...own, prefix: other })) };
}

async function look(deps: Deps, target: OpenStoreOptions) {
  const store = await deps.openStore({ ...target, create: false });
  try {
    const found = await inspectStore(store);
    say(deps, `Found: ${describeStore(found)}.`);
    const origins = found.kind === 'empty' ? [] : [...(await readOrigins(store, deps.env)).values()];
    return { found, hasKeys: await hasKeys(store), needsSiteUrl: !origins.some((origin) => origin !== '') };
  } finally {
    await store.close();
  }
}

/** Tables of a site under another prefix are probably the intended ones. */
async function choosePrefix(
  { prompt }: Deps,
  { prefix, others }: { readonly prefix: string; readonly others: readonly string[] },
): Promise<string> {
  const [only = prefix] = others;
  if (!prompt.isInteractive) {
    if (others.length === 1) return only;
    throw usageError({
      '--content-prefix': `is required: the database has content tables with the prefixes ${others.join(', ')}`,
    });
  }
  const labels = new Map(
    others.map((other) => [`Existing tables with the prefix ${other === '' ? '(none)' : other}`, other]),
  );
  labels.set(`New tables with the prefix ${prefix}`, prefix);
  const answer = await prompt.choose({
    message: 'Which content tables do you want to use?',
    flag: '--content-prefix',
    choices: [...labels.keys()],
  });
  return labels.get(answer) ?? prefix;
}

function isMissingFile(databaseUrl: string): boolean {
  return databaseUrl.startsWith('sqlite:') && !existsSync(databaseUrl.slice('sqlite:'.length));
}

function say({ io, flags }: Deps, text: string): void {
  if (!flags.quiet) writeNote(io.stderr, text);
}
