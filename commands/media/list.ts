/** `hcd media list`: list files. */
import { textValue } from '../../src/config/value-type.js';
import { listFiles } from '../../src/files/media-store.js';
import { fileView } from '../../src/files/media-view.js';
import { defineSiteCommand } from '../command.js';
import { defaultRows, optional, rowParameters } from '../parameters.js';
import { openMedia } from './shared.js';

export const command = defineSiteCommand({
  description:
    'Lists the files of the media folder, or of a folder in it with all folders below, in the order of their paths.',
  arguments: { path: optional(textValue(), 'Folder, such as products (default: all)') },
  options: { ...rowParameters },
  examples: {
    'media list': 'List all files',
    'media list products --limit 100 --json': 'List the first hundred files of a folder as JSON',
  },
  async run({ path = '', limit = defaultRows, offset = 0 }, deps) {
    const { folder } = await openMedia(deps);
    const below = path.replace(/\/$/, '');
    const { files, total } = await listFiles({ folder, below, after: null, limit, offset, counts: true });
    const rows = await Promise.all(files.map((file) => fileView(file, { withPixels: false })));
    return {
      kind: 'list',
      columns: ['path', 'type', 'size', 'modified', 'url'],
      rows,
      total,
      offset,
      empty: 'No files. Put one: hcd media put FILE',
    };
  },
});
