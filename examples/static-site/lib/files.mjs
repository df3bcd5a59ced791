/** Files that are either there or not, and never half: written beside their place and moved into it. */
import { mkdir, open, readFile, rename, rm, rmdir } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';

/** Gives whether anything changed: a file that has the content already is left alone. */
export async function writeIfNew(path, content) {
  const bytes = Buffer.from(content);
  const present = await readFile(path).catch(() => null);
  if (present?.equals(bytes)) return false;
  await writeAtomically(path, bytes);
  return true;
}

export async function writeAtomically(path, content) {
  await mkdir(dirname(path), { recursive: true });
  const beside = `${path}.${process.pid}.new`;
  const file = await open(beside, 'w');
  try {
    await file.writeFile(content);
    // Moved before it is on the disk, it could be empty after a power failure.
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(beside, path);
}

/** Removes the file, and the folders below `root` that are empty without it. */
export async function removeFile(root, name) {
  await rm(join(root, name), { force: true });
  for (let folder = dirname(name); folder !== '.'; folder = dirname(folder)) {
    const isGone = await rmdir(join(root, folder)).then(
      () => true,
      () => false,
    );
    if (!isGone) return;
  }
}

/** Whether the path lies in the folder: addresses of pages come from elsewhere. */
export function isInside(folder, path) {
  const way = relative(folder, path);
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`);
}
