/** What a file is, by its content and by its name. */
import { open } from 'node:fs/promises';
import { fileTypeFromFile, supportedMimeTypes } from 'file-type';
import { lookup } from 'mime-types';
import { AppError } from '../errors/app-error.js';

/** Without charset. */
export function typeOfName(path: string): string | null {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const type = name.includes('.') && lookup(name);
  // Of .jfif: no program sends or reads it today.
  return type === 'image/pjpeg' ? 'image/jpeg' : type || null;
}

/** Types of one format, whose programs and registries call it differently, or do not write which of them a file is. */
const formats: readonly string[] = [
  'image/png image/apng',
  'image/x-icon image/vnd.microsoft.icon',
  'image/heic image/heif image/heic-sequence image/heif-sequence',
  'image/jxr image/vnd.ms-photo',
  'audio/aiff audio/x-aiff',
  'audio/flac audio/x-flac',
  'audio/wav audio/x-wav audio/wave audio/vnd.wave',
  'audio/ogg video/ogg application/ogg',
  'video/mp4 audio/mp4 application/mp4 audio/x-m4a video/x-m4v video/x-f4v video/quicktime video/3gpp video/3gpp2 audio/3gpp',
  'video/matroska video/x-matroska audio/x-matroska audio/matroska',
  'video/vnd.avi video/x-msvideo video/avi',
  'video/mpeg video/mp1s video/mp2p',
  'application/vnd.ms-asf video/x-ms-asf audio/x-ms-asf video/x-ms-wmv audio/x-ms-wma',
  'application/x-cfb application/msword application/vnd.ms-excel application/vnd.ms-powerpoint application/vnd.ms-outlook application/vnd.visio',
  'application/vnd.rar application/x-rar-compressed application/x-rar',
  'application/zip application/x-zip-compressed',
  'application/gzip application/x-gzip',
  'application/postscript application/eps',
  'application/rtf text/rtf',
  'application/x-msdownload application/x-msdos-program',
  'font/ttf application/x-font-ttf',
  'font/otf application/x-font-otf',
];
const formatOf = new Map(
  formats.flatMap((line) => line.split(' ').map((type, _at, [first = type]) => [type, first] as const)),
);

function plainType(type: string): string {
  const [plain = ''] = type.toLowerCase().split(';');
  return formatOf.get(plain) ?? plain;
}

const recognised: ReadonlySet<string> = new Set([...supportedMimeTypes].map(plainType));

/** Archives whose members say what they are, not always where it is looked for. */
const inZip = /^application\/(?:epub\+zip|java-archive|vnd\.(?:openxmlformats|oasis|apple|ms-|google-earth\.kmz))/;

/** Throws unsupported_media_type for a file whose type is not allowed, or that is not what its name says. */
export async function checkFileType(
  place: string,
  { path, types }: { readonly path: string; readonly types: readonly string[] },
): Promise<void> {
  const named = typeOfName(path);
  if (named === null || !types.some((type) => bareType(type) === bareType(named))) {
    const what =
      named === null
        ? 'The ending of the name says no type, as .jpg does (a folder ends with /)'
        : `Files of type ${named} are not taken`;
    throw unsupported(`${what}; media_types has: ${types.join(', ')}`);
  }
  const content = holdsText.test(named) ? await problemOfText(place, named) : await problemOfBytes(place, named);
  if (content === null) return;
  throw unsupported(`The name says ${named}, but the content is ${content}; give it the name of its type`);
}

/** Registered later, or not at all. */
function bareType(type: string): string {
  return type.toLowerCase().replace('/x-', '/');
}

function unsupported(message: string): AppError {
  return new AppError('unsupported_media_type', { message });
}

async function problemOfBytes(place: string, named: string): Promise<string | null> {
  const found = (await fileTypeFromFile(place))?.mime;
  const type = plainType(named);
  if (found === undefined) return recognised.has(type) ? 'of no type that is known' : null;
  return plainType(found) === type || (found === 'application/zip' && inZip.test(named)) ? null : found;
}

/** Types without a mark in the content, which may begin like any other. */
const holdsText =
  /^(?:text\/(?!rtf)|[a-z]+\/(?:[\w.-]+\+)?(?:json|xml|javascript|yaml)$|application\/(?:x-subrip|vnd\.apple\.mpegurl|sql|toml)$)/;
const lookedAt = 65_536;

/** Its beginning: nothing in it but text, and the element of a drawing in a drawing. */
async function problemOfText(place: string, type: string): Promise<string | null> {
  const handle = await open(place);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(lookedAt), 0, lookedAt, 0);
    const bytes = buffer.subarray(0, bytesRead);
    // The last character may be cut.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: bytesRead === lookedAt });
    if (!text.includes('\0')) return type !== 'image/svg+xml' || /<svg[\s>]/i.test(text) ? null : 'no drawing';
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  } finally {
    await handle.close();
  }
  return (await fileTypeFromFile(place))?.mime ?? 'no text in UTF-8';
}
