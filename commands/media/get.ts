/** `hcd media get`: copy a file out of the media folder. */
import { createReadStream } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileValue } from '../../src/config/value-type.js';
import { diskError } from '../../src/errors/disk-error.js';
import { loadFile } from '../../src/files/media-store.js';
import { defineSiteCommand } from '../command.js';
import { checkOutputFile } from '../output-file.js';
import { required, usageError } from '../parameters.js';
import { openMedia, pathParameter } from './shared.js';

export const command = defineSiteCommand({
  description:
    'Copies a file of the media folder to another place, or to standard output. A file that is there is replaced only with --yes.',
  arguments: {
    path: pathParameter,
    file: required(fileValue, { description: 'File to write, or - for standard output', isOutput: true }),
  },
  examples: {
    'media get products/lamp.jpg lamp.jpg': 'Copy a picture into this folder',
    'media get products/lamp.jpg - | file -': 'Give it to another program',
  },
  async run({ path, file }, deps) {
    const { stdout } = deps.io;
    if (file === '-' && stdout.isTerminal) {
      throw usageError({ FILE: 'can be - only when the output is a file or a pipe, not a terminal' });
    }
    const { folder } = await openMedia(deps);
    const { place, size } = await loadFile(folder, path);
    if (file === '-') {
      await pipeline(createReadStream(place), stdout.stream, { end: false });
      return { kind: 'nothing', hasWritten: true };
    }
    const target = resolve(deps.cwd, file);
    checkOutputFile(target, deps);
    await copyFile(place, target).catch((error: unknown) => {
      throw diskError(error);
    });
    return { kind: 'done', message: `Copied ${path} to ${target}.`, data: { path, file: target, bytes: size } };
  },
});
