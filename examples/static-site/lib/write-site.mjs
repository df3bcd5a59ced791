/** The folder of the site: a function of its pages, their files and `public/`, whatever was there before. */
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fileOf } from './addresses.mjs';
import { isInside, removeFile, writeIfNew } from './files.mjs';
import { renderPage } from './layout.mjs';

const publicFolder = join(dirname(fileURLToPath(import.meta.url)), '..', 'public');

/** Contents by name, relative to the folder. Pictures come from the server, each of them once. */
export async function filesOfSite(out, { pages, server }) {
  const made = pageFiles(out, pages);
  const media = new Set([...made.values()].flatMap((text) => [...text.matchAll(mediaAddress)].map(([path]) => path)));
  const known = [...media].filter((path) => isInside(out, join(out, path)));
  const fetched = await Promise.all(known.map(async (path) => [path.slice(1), await mediaFile({ out, path, server })]));
  return new Map([...(await publicFiles()), ...made, ...fetched.filter(([, bytes]) => bytes !== null)]);
}

const mediaAddress = /(?<=["'])\/files\/[\w./-]+/g;

async function mediaFile({ out, path, server }) {
  const kept = await readFile(join(out, path)).catch(() => null);
  if (kept !== null) return kept;
  const response = await fetch(new URL(path, server), { redirect: 'manual' });
  if (response.ok) return Buffer.from(await response.arrayBuffer());
  process.stderr.write(`No file ${path}: ${response.status}\n`);
  return null;
}

/** Returns how many files were written and removed. Removes only files of an earlier run; writes only new content. */
export async function writeFiles(out, { files, old }) {
  let changed = 0;
  for (const [name, content] of files) if (await writeIfNew(join(out, name), content)) changed += 1;
  const gone = old.filter((name) => !files.has(name));
  for (const name of gone) await removeFile(out, name);
  return { changed, removed: gone.length };
}

function pageFiles(out, pages) {
  const sorted = [...pages.values()].map(({ page }) => page).sort((one, other) => one.resourceId - other.resourceId);
  const site = sorted.map(({ resource }) => resource);
  const files = new Map();
  for (const page of sorted) {
    const name = fileOf(page.resource.uri);
    // An address that leads out of the folder, or is taken by a page with a smaller id, gets no file.
    if (!isInside(out, join(out, name)) || files.has(name))
      process.stderr.write(`No file for page ${page.resourceId}: ${name}\n`);
    else files.set(name, renderPage({ page, site }));
  }
  return files;
}

/** The stylesheet and media of the site. */
async function publicFiles() {
  const entries = await readdir(publicFolder, { recursive: true, withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(publicFolder, join(entry.parentPath ?? entry.path, entry.name)));
  return Promise.all(names.map(async (name) => [name.split(sep).join('/'), await readFile(join(publicFolder, name))]));
}
