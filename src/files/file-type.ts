/** What a file is, by its content and by its name. */
import { open } from 'node:fs/promises';
import { fileTypeFromFile } from 'file-type';
import { lookup } from 'mime-types';
import { AppError } from '../errors/app-error.js';

/** Without charset. */
export function typeOfName(path: string): string | null {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return (name.includes('.') && lookup(name)) || null;
}

/** Other names of the same types, as the content is called. */
const sameTypes: Readonly<Record<string, string>> = {
  'image/apng': 'image/png',
  'image/vnd.microsoft.icon': 'image/x-icon',
  'audio/x-m4a': 'audio/mp4',
  'video/x-m4v': 'video/mp4',
  'application/x-font-ttf': 'font/ttf',
};

function plainType(type: string): string {
  return sameTypes[type] ?? type;
}

/** Throws unsupported_media_type for a file whose type is not allowed, or that is not what its name says. */
export async function checkFileType(
  place: string,
  { path, types }: { readonly path: string; readonly types: readonly string[] },
): Promise<void> {
  const named = typeOfName(path);
  if (named === null || !types.includes(named)) {
    const what =
      named === null ? 'The type of the file does not follow from its name' : `Files of type ${named} are not taken`;
    throw unsupported(`${what}; media_types has: ${types.join(', ')}`);
  }
  const found = await fileTypeFromFile(place);
  if (found !== undefined && plainType(found.mime) === plainType(named)) return;
  const isText = found === undefined || found.mime === 'application/xml';
  if (isText && holdsText.test(named) && (await readsAs(place, named))) return;
  const content = found?.mime ?? 'of no type that is known';
  throw unsupported(`The name says ${named}, but the content is ${content}; give it the name of its type`);
}

function unsupported(message: string): AppError {
  return new AppError('unsupported_media_type', { message });
}

/** Types without a mark in the content. */
const holdsText = /^(?:text\/|application\/(?:[\w.-]+\+)?(?:json|xml|javascript|yaml)$|image\/svg\+xml$)/;
const lookedAt = 65_536;

/** Its beginning: nothing in it but text, and the element of a drawing in a drawing. */
async function readsAs(place: string, type: string): Promise<boolean> {
  const handle = await open(place);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(lookedAt), 0, lookedAt, 0);
    const bytes = buffer.subarray(0, bytesRead);
    if (bytes.includes(0)) return false;
    // The last character may be cut.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: bytesRead === lookedAt });
    return type !== 'image/svg+xml' || /<svg[\s>]/i.test(text);
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  } finally {
    await handle.close();
  }
}
