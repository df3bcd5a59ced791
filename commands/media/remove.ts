/** `hcd media remove`: remove a file. */
import { writeFile } from '../../src/content/mutations/write-file.js';
import { loadFile, removeFile } from '../../src/files/media-store.js';
import { defineSiteCommand } from '../command.js';
import { eventsParameter, openMediaToWrite, pathParameter } from './shared.js';

export const command = defineSiteCommand({
  description: 'Removes a file of the media folder permanently. Content that names it does not change.',
  arguments: { path: pathParameter },
  examples: {
    'media remove products/lamp.jpg': 'Remove a picture',
    'media remove products/lamp.jpg --yes --json': 'Remove it without confirmation',
  },
  options: { events: eventsParameter },
  destructive: {},
  async run({ path, events }, deps) {
    const { folder, writer } = await openMediaToWrite(deps, events);
    await loadFile(folder, path);
    await deps.confirm(`Remove the file ${path} permanently?`);
    const change = async () => ({ action: 'deleted', result: await removeFile(folder, path) }) as const;
    await writeFile({ writer, path, change });
    return { kind: 'done', message: `Removed ${path}.`, data: { path, deleted: true } };
  },
});
