/** `hcd media`: files and pictures of an own site. */

import { constants, createReadStream, createWriteStream } from 'node:fs';
import { access, rm, stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { SettingsOf } from '../src/config/settings.js';
import { fileValue, textValue } from '../src/config/value-type.js';
import { openEditing } from '../src/content/administration/edit-content.js';
import { writeFile } from '../src/content/mutations/write-file.js';
import { AppError } from '../src/errors/app-error.js';
import { diskError } from '../src/errors/disk-error.js';
import { typeOfName } from '../src/files/file-type.js';
import {
  checkFile,
  checkSize,
  fileView,
  listFiles,
  loadFile,
  putFile,
  removeFile,
  targetPath,
} from '../src/files/media-store.js';
import { newUpload } from '../src/files/own-folder.js';
import { defineSiteCommand } from './command.js';
import { type SiteDeps, unreadable } from './deps.js';
import { defaultRows, eventsParameter, optional, required, rowParameters, toggle, usageError } from './parameters.js';

const pathParameter = required(textValue(), 'Path of the file, such as products/lamp.jpg');

type Limits = SettingsOf<'gateway'>;

/** Throws refused for an attached site. */
async function openMedia(deps: SiteDeps) {
  if (deps.store.kind !== 'own') {
    throw new AppError('refused', { message: 'The files of an attached site belong to its CMS; put them there' });
  }
  return { folder: deps.loadConfig().config.files_dir, limits: await deps.settings('gateway') };
}

/** Throws refused for an attached site. */
async function openMediaToWrite(deps: SiteDeps) {
  const { writer } = await openEditing(deps.store, { ...deps, events: true, trust: false });
  return { ...(await openMedia(deps)), writer };
}

export const commands = {
  put: defineSiteCommand({
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
      const { folder, limits, writer } = await openMediaToWrite(deps);
      const source = file === '-' ? '-' : resolve(deps.cwd, file);
      const target = targetPath(path, basename(source));
      const place = await newUpload(folder);
      try {
        const bytes = file === '-' ? deps.io.stdin.stream : await openFile(source, limits);
        await copyChecked(bytes, { place, limits });
        await checkFile(place, { path: target, limits });
        const record = await writeFile({
          ...{ writer, folder, path: target, isQuiet: !events },
          change: async () => fileView(await putFile({ folder, place, path: target, overwrite })),
        });
        return { kind: 'record', record, notes: [`It is served at ${record.url}`] };
      } finally {
        await rm(place, { force: true });
      }
    },
  }),

  list: defineSiteCommand({
    description:
      'Lists the files of the media folder, or of a folder in it with all folders below, in the order of their paths.',
    arguments: { path: optional(textValue(), 'Folder, such as products (default: all)') },
    options: {
      q: optional(textValue(), 'Show only files whose path contains this text', { placeholder: 'TEXT' }),
      type: optional(
        textValue({ accepts: 'a type such as image or image/png', pattern: /^[\w.+-]+(\/[\w.+-]+)?$/ }),
        'Show only files of this type',
      ),
      ...rowParameters,
    },
    examples: {
      'media list': 'List all files',
      'media list products --limit 100 --json': 'List the first hundred files of a folder as JSON',
      'media list --type image --q lamp': 'Find the pictures with lamp in their path',
    },
    async run({ path = '', q = '', type, limit = defaultRows, offset = 0 }, deps) {
      const { folder } = await openMedia(deps);
      const below = path.replace(/\/$/, '');
      const words = q.toLowerCase();
      const keeps = (file: string): boolean =>
        file.toLowerCase().includes(words) && (type === undefined || isOfType(file, type));
      const { files, total } = await listFiles({ folder, below, after: null, limit, offset, counts: true, keeps });
      const rows = await Promise.all(files.map((file) => fileView(file, { withPixels: false })));
      return {
        kind: 'list',
        columns: ['path', 'type', 'size', 'modified', 'url'],
        rows,
        total,
        offset,
        empty: q === '' && type === undefined ? 'No files. Put one: hcd media put FILE' : 'No matching files.',
      };
    },
  }),

  show: defineSiteCommand({
    description:
      'Shows address, size and type of a file, and the pixels of a picture where the package sharp is installed.',
    arguments: { path: pathParameter },
    examples: {
      'media show products/lamp.jpg': 'Show a picture',
      'media show products/lamp.jpg --json': 'Show it as JSON',
    },
    async run({ path }, deps) {
      const { folder } = await openMedia(deps);
      return { kind: 'record', record: await fileView(await loadFile(folder, path)) };
    },
  }),

  remove: defineSiteCommand({
    description: 'Removes a file of the media folder permanently. Content that names it does not change.',
    arguments: { path: pathParameter },
    examples: {
      'media remove products/lamp.jpg': 'Remove a picture',
      'media remove products/lamp.jpg --yes --json': 'Remove it without confirmation',
    },
    options: { events: eventsParameter },
    destructive: {},
    async run({ path, events }, deps) {
      const { folder, writer } = await openMediaToWrite(deps);
      await loadFile(folder, path);
      await deps.confirm(`Remove the file ${path} permanently?`);
      await writeFile({ writer, folder, path, isQuiet: !events, change: () => removeFile(folder, path) });
      return { kind: 'done', message: `Removed ${path}.`, data: { path, deleted: true } };
    },
  }),
};

/** Throws refused, validation_failed, payload_too_large. */
async function openFile(source: string, limits: Limits): Promise<Readable> {
  const found = await access(source, constants.R_OK)
    .then(() => stat(source))
    .catch((cause: unknown) => {
      throw new AppError('refused', { message: `${source} ${unreadable(cause)}`, cause });
    });
  if (!found.isFile()) throw new AppError('refused', { message: `${source} is not a file` });
  checkSize(found.size, limits);
  return createReadStream(source);
}

/** Not the rights of the source, so that the server may read it. Throws payload_too_large, unavailable. */
async function copyChecked(
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

function isOfType(path: string, type: string): boolean {
  const found = typeOfName(path) ?? '';
  return found === type || found.startsWith(`${type}/`);
}
