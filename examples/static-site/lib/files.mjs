/** Writes files atomically: each is written under another name and then renamed. */
import { mkdir, open, readFile, rename, rm, rmdir } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';

/** Returns whether anything changed. A file that already has the content stays as it is. */
export async function writeIfNew(path, content) {
  const bytes = Buffer.from(content);
  const present = await readFile(path).catch(() => null);
  if (present?.equals(bytes)) return false;
  await writeAtomically(path, bytes);
  return true;
}

export async function writeAtomically(path, content) {
  await mkdir(dirname(path), { recursive: true });
  const temporary = `${path}.${process.pid}.new`;
  const file = await open(temporary, 'w');
  try {
    await file.writeFile(content);
    // A file that is renamed before it is on the disk could be empty after a power failure.
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(temporary, path);
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

/** Whether the path is in the folder. Addresses of pages are not trusted. */
export function isInside(folder, path) {
  const way = relative(folder, path);
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`);
}
