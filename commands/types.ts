/** `hcd types`: TypeScript declarations for this site, printed, written to a file, or kept current there. */
import { closeSync, openSync, readSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileValue } from '../src/config/value-type.js';
import { openSite, type Site } from '../src/content/live/site.js';
import { AppError } from '../src/errors/app-error.js';
import { firstLine, type SiteTypes, siteTypes } from '../src/operations/site-types/site-types.js';
import { defineCommand, type Result } from './command.js';
import type { SiteDeps } from './deps.js';
import { checkOutputFile, replaceText } from './output-file.js';
import { optional, toggle, usageError } from './parameters.js';

const everyMs = 1000;
/** Not every foreign change can be noticed, so the types are made again after this many looks. */
const looks = 10;

export const command = defineCommand({
  description:
    'Prints TypeScript declarations for this site: a type of resource for each template with the typed values of its template variables (tv_format=typed), the data of each section type, records of all registered objects, contexts, and the interface Site, for which the client of the package hcd-client is made. They compile under strict settings. The same site gives the same text, whichever the database.\n\nWith --out the file appears whole or not at all, and is left alone while nothing has changed. A file that hcd types did not make is replaced only with --yes. With --watch it is written again when the site changes, until Ctrl-C; changed definitions of extra objects need a new start. Restricted template variables, which not every caller gets, are optional.',
  options: {
    out: optional(fileValue, 'File to write, such as src/site.ts', { isOutput: true }),
    uris: toggle('Also list the addresses of published resources, as a union'),
    watch: toggle('Write the file again when the site changes'),
  },
  examples: {
    'types --out src/site.ts': 'Write the types for a frontend',
    'types --out src/site.ts --watch': 'Keep them current while templates and sections change',
  },
  endsItself: true,
  async run({ out, uris, watch }, deps) {
    if (watch && out === undefined) throw usageError({ '--watch': 'needs --out: the file to keep current' });
    const path = out === undefined ? null : resolve(deps.cwd, out);
    if (path !== null) checkOutputFile(path, deps, isMadeHere);
    const opened = await deps.openSite();
    const { store, env, clock, log } = opened;
    // The secret signs cursors, which nothing here shows.
    const secret = 'cursors are not shown';
    const site = await openSite({ store, registry: await opened.registry(), env, clock, log, secret });
    const make = (): Promise<SiteTypes> => siteTypes(site, store.own.primary, { withUris: uris });
    if (path === null) {
      const { text } = await make();
      return { kind: 'text', text, data: { types: text } };
    }
    if (watch) return follow({ site, path, make }, opened);
    const made = await make();
    const isChanged = await replaceText(path, made.text);
    return {
      kind: 'done',
      message: isChanged ? `Wrote ${path}` : `${path} is up to date`,
      data: dataOf(path, made, isChanged),
    };
  },
});

function isMadeHere(path: string): boolean {
  const start = Buffer.alloc(firstLine.length);
  const file = openSync(path, 'r');
  try {
    const length = readSync(file, start);
    return length === 0 || start.toString('utf8', 0, length) === firstLine;
  } finally {
    closeSync(file);
  }
}

async function follow(
  { site, path, make }: { readonly site: Site; readonly path: string; readonly make: () => Promise<SiteTypes> },
  { clock, stop, io, flags }: SiteDeps,
): Promise<Result> {
  let isStale = true;
  const note = (): void => {
    isStale = true;
  };
  site.live.onChange(note);
  site.live.changes.onChange(note);
  let isReachable = true;
  for (let look = 0; !stop.aborted; look += 1) {
    try {
      await site.live.refresh();
      if (isStale || look % looks === 0) {
        isStale = false;
        const made = await make();
        if (await replaceText(path, made.text)) {
          const line = flags.json ? JSON.stringify({ data: dataOf(path, made, true) }) : `Wrote ${path}`;
          io.stdout.write(`${line}\n`);
        }
      }
      isReachable = true;
    } catch (error) {
      // A database that is away for a moment does not end the watch.
      if (!(error instanceof AppError) || error.kind !== 'unavailable') throw error;
      if (isReachable && !flags.quiet) io.stderr.write('The database does not answer; the file stays as it is.\n');
      isReachable = false;
      isStale = true;
    }
    await clock.sleep(everyMs, stop);
  }
  return { kind: 'nothing', hasWritten: true };
}

function dataOf(file: string, { text, counts }: SiteTypes, changed: boolean) {
  return { file, bytes: Buffer.byteLength(text), changed, ...counts };
}
