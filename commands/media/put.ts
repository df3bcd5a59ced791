/** `hcd media put`: put a file into the media folder. */
import { copyFile, rm } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { fileValue, textValue } from '../../src/config/value-type.js';
import { AppError } from '../../src/errors/app-error.js';
import { newUpload, putFile, targetPath } from '../../src/files/media-store.js';
import { fileView } from '../../src/files/media-view.js';
import { defineSiteCommand } from '../command.js';
import { optional, required, toggle } from '../parameters.js';
import { openMedia } from './shared.js';

export const command = defineSiteCommand({
  description:
    'Copies a file into the media folder (files_dir, HCD_FILES_DIR), by the rules of POST /media: its type must be in media_types and be what the content says, its size at most media_max_bytes, a picture at most media_max_pixels. It is there complete or not at all.',
  arguments: {
    file: required(fileValue, 'File to copy'),
    path: optional(textValue(), 'Its path; with a slash at the end the folder (default: the name of the file)'),
  },
  options: { overwrite: toggle('Replace a file of this path') },
  examples: {
    'media put lamp.jpg products/': 'Put a picture into a folder',
    'media put ~/new.jpg products/lamp.jpg --overwrite --json': 'Replace a picture and print it as JSON',
  },
  async run({ file, path = '', overwrite }, deps) {
    const { folder, limits } = await openMedia(deps);
    const source = resolve(deps.cwd, file);
    const target = targetPath(path, basename(source));
    const place = await newUpload(folder);
    try {
      await copyFile(source, place).catch((cause: unknown) => {
        throw new AppError('refused', { message: `${source} cannot be read`, cause });
      });
      const record = await fileView(await putFile({ folder, place, path: target, overwrite, limits }));
      return { kind: 'record', record, notes: [`It is served at ${record.url}`] };
    } finally {
      await rm(place, { force: true });
    }
  },
});
