/** `hcd media list`: list files. */
import { textValue } from '../../src/config/value-type.js';
import { typeOfName } from '../../src/files/file-type.js';
import { listFiles } from '../../src/files/media-store.js';
import { fileView } from '../../src/files/media-view.js';
import { defineSiteCommand } from '../command.js';
import { defaultRows, optional, rowParameters } from '../parameters.js';
import { openMedia } from './shared.js';

export const command = defineSiteCommand({
  description:
    'Lists the files of the media folder, or of a folder in it with all folders below, in the order of their paths.',
  arguments: { path: optional(textValue(), 'Folder, such as products (default: all)') },
  options: {
    q: optional(textValue(), { placeholder: 'TEXT', description: 'Show only files whose path contains this text' }),
    type: optional(textValue({ accepts: 'a type such as image or image/png', pattern: /^[\w.+-]+(\/[\w.+-]+)?$/ }), {
      placeholder: 'TYPE',
      description: 'Show only files of this type',
    }),
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
});

function isOfType(path: string, type: string): boolean {
  const found = typeOfName(path) ?? '';
  return found === type || found.startsWith(`${type}/`);
}
