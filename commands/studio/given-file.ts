/** The file that a command of Studio reads: an upload or a typed text, in a folder of its own while the command runs. */
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, relative, sep } from 'node:path';

/** What the HTTP side has written to disk. */
export interface Upload {
  readonly filepath: string;
  /** As the browser says. */
  readonly originalFilename: string | null;
}

export interface GivenFile {
  readonly path: string;
  /** What is shown of it: the name without the folder. */
  readonly shown: <T>(value: T) => T;
  readonly remove: () => Promise<void>;
}

/** Messages start with it: `The text is not valid JSON`. */
const nameOfText = 'The text';

export async function placeFile(input: string | Upload, cwd: string): Promise<GivenFile> {
  const folder = await mkdtemp(join(tmpdir(), 'hcd-studio-'));
  const isText = typeof input === 'string';
  const path = join(folder, isText ? nameOfText : safeName(input.originalFilename ?? ''));
  await (isText ? writeFile(path, input, { mode: 0o600 }) : rename(input.filepath, path));
  // The longer form holds the shorter one.
  const places = [relative(cwd, folder), folder].map((place) => JSON.stringify(place + sep).slice(1, -1));
  return {
    path,
    shown: (value) => JSON.parse(places.reduce((text, place) => text.replaceAll(place, ''), JSON.stringify(value))),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** One name in the folder, whatever the browser says. */
function safeName(name: string): string {
  const safe = basename(name.replaceAll('\\', '/')).replace(/\p{Cc}/gu, '');
  const short = Buffer.from(safe).subarray(-200).toString().replaceAll('\ufffd', '');
  return ['', '.', '..'].includes(short) ? 'file' : short;
}
