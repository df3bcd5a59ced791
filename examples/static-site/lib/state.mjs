/** What is remembered from one run to the next: the revision of the site, and each page with its ETag. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeAtomically } from './files.mjs';

/** The state of the last run; an empty one when there is none, or it is of another site. */
export async function readState(folder, source) {
  const text = await readFile(join(folder, 'state.json'), 'utf8').catch(() => null);
  const state = text === null ? null : parse(text);
  // The list of files is kept even then: this program made them and removes them.
  if (state?.source !== source) return { source, revision: null, files: state?.files ?? [], pages: new Map() };
  return { ...state, pages: new Map(state.pages) };
}

/** Called last: when an earlier step fails, the next run starts where this one did. */
export async function writeState(folder, { source, revision, pages, files }) {
  const sorted = [...pages].sort(([one], [other]) => one - other);
  await writeAtomically(join(folder, 'state.json'), JSON.stringify({ source, revision, files, pages: sorted }));
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    // Without a readable state everything is fetched again.
    return null;
  }
}
