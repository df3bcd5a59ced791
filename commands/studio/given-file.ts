/** The file that a command of Studio reads: an upload or a typed text, in a folder of its own while the command runs. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, relative, sep } from 'node:path';
import { isJsonObject } from '../../src/values/json.js';
import { usageError } from '../parameters.js';

export interface GivenFile {
  readonly path: string;
  /** What is shown of it: the name without the folder. */
  readonly shown: <T>(value: T) => T;
  readonly remove: () => Promise<void>;
}

/** Messages start with it: `The text is not valid JSON`. */
const nameOfText = 'The text';

/** A text, or `{"name", "base64"}` of a file. */
export async function placeFile(input: unknown, cwd: string): Promise<GivenFile> {
  const { name, base64 } = isJsonObject(input) ? input : { name: nameOfText, base64: null };
  const content = typeof base64 === 'string' ? Buffer.from(base64, 'base64') : input;
  const isGiven = typeof content === 'string' || content instanceof Buffer;
  if (!isGiven) throw usageError({ input: 'must be a text, or {"name", "base64"} of a file' });
  const folder = await mkdtemp(join(tmpdir(), 'hcd-studio-'));
  const path = join(folder, safeName(String(name)));
  await writeFile(path, content, { mode: 0o600 });
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
