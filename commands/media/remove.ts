/** `hcd media remove`: remove a file. */
import { loadFile, removeFile } from '../../src/files/media-store.js';
import { defineSiteCommand } from '../command.js';
import { openMedia, pathParameter } from './shared.js';

export const command = defineSiteCommand({
  description: 'Removes a file of the media folder permanently. Content that names it does not change.',
  arguments: { path: pathParameter },
  examples: {
    'media remove products/lamp.jpg': 'Remove a picture',
    'media remove products/lamp.jpg --yes --json': 'Remove it without confirmation',
  },
  destructive: {},
  async run({ path }, deps) {
    const { folder } = await openMedia(deps);
    await loadFile(folder, path);
    await deps.confirm(`Remove the file ${path} permanently?`);
    await removeFile(folder, path);
    return { kind: 'done', message: `Removed ${path}.`, data: { path, deleted: true } };
  },
});
