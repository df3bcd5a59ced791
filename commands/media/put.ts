/** `hcd media put`: put a file into the media folder. */
import { constants, createReadStream, createWriteStream } from 'node:fs';
import { access, rm, stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileValue, textValue } from '../../src/config/value-type.js';
import { writeFile } from '../../src/content/mutations/write-file.js';
import { AppError } from '../../src/errors/app-error.js';
import { diskError } from '../../src/errors/disk-error.js';
import { checkFile, checkSize, newUpload, putFile, targetPath } from '../../src/files/media-store.js';
import { fileView } from '../../src/files/media-view.js';
import { defineSiteCommand } from '../command.js';
import { optional, required, toggle, usageError } from '../parameters.js';
import { eventsParameter, type MediaPlace, openMediaToWrite } from './shared.js';

export const command = defineSiteCommand({
  description:
    'Copies a file into the media folder (files_dir, HCD_FILES_DIR), by the rules of POST /media: its type must be in media_types and be what the content says, its size at most media_max_bytes, a picture at most media_max_pixels. It is there complete or not at all.',
  arguments: {
    file: required(fileValue, 'File to copy, or - for standard input'),
    path: optional(textValue(), 'Its path; with a slash at the end the folder (default: the name of the file)'),
  },
  options: { overwrite: toggle('Replace a file of this path'), events: eventsParameter },
  examples: {
    'media put lamp.jpg products/': 'Put a picture into a folder',
    'media put ~/new.jpg products/lamp.jpg --overwrite --json': 'Replace a picture and print it as JSON',
    'media put - products/lamp.jpg': 'Put what another program writes',
  },
  async run({ file, path = '', overwrite, events }, deps) {
    if (file === '-' && (path === '' || path.endsWith('/'))) {
      throw usageError({ PATH: 'must be the path of the file, because standard input has no name' });
    }
    const { folder, limits, writer } = await openMediaToWrite(deps, events);
    const source = file === '-' ? '-' : resolve(deps.cwd, file);
    const target = targetPath(path, basename(source));
    const place = await newUpload(folder);
    try {
      const bytes = file === '-' ? deps.io.stdin.stream : await openFile(source, limits);
      await copyFile(bytes, { place, limits });
      await checkFile(place, { path: target, limits });
      const record = await writeFile({
        ...{ writer, path: target },
        async change() {
          const { action, file: put } = await putFile({ folder, place, path: target, overwrite });
          return { action, result: await fileView(put) };
        },
      });
      return { kind: 'record', record, notes: [`It is served at ${record.url}`] };
    } finally {
      await rm(place, { force: true });
    }
  },
});

type Limits = MediaPlace['limits'];

/** Throws refused, validation_failed, payload_too_large. */
async function openFile(source: string, limits: Limits): Promise<Readable> {
  const found = await access(source, constants.R_OK)
    .then(() => stat(source))
    .catch((cause: unknown) => {
      throw new AppError('refused', { message: `${source} cannot be read`, cause });
    });
  if (!found.isFile()) throw new AppError('refused', { message: `${source} is not a file` });
  checkSize(found.size, limits);
  return createReadStream(source);
}

/** Not the rights of the source, so that the server may read it. Throws payload_too_large, unavailable. */
async function copyFile(
  bytes: Readable,
  { place, limits }: { readonly place: string; readonly limits: Limits },
): Promise<void> {
  const checked = async function* (chunks: AsyncIterable<Uint8Array>) {
    let size = 0;
    for await (const chunk of chunks) {
      size += chunk.length;
      if (chunk.length > 0) checkSize(size, limits);
      yield chunk;
    }
  };
  await pipeline(bytes, checked, createWriteStream(place, { flags: 'wx', flush: true })).catch((error) => {
    throw error instanceof AppError ? error : diskError(error);
  });
}
