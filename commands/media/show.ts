/** `hcd media show`: show what a file is. */
import { loadFile } from '../../src/files/media-store.js';
import { fileView } from '../../src/files/media-view.js';
import { defineSiteCommand } from '../command.js';
import { openMedia, pathParameter } from './shared.js';

export const command = defineSiteCommand({
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
});
