/** `hcd position unlink POSITION BANNER`: removes a banner from a position. */
import { unlinkBanner } from '../../src/banners/management/position-links.js';
import { findPosition } from '../../src/banners/management/positions.js';
import { idValue, positionParameter, username } from '../banner/shared.js';
import { defineCommand } from '../command.js';
import { required } from '../parameters.js';
import { linkRecord } from './shared.js';

export const command = defineCommand({
  path: 'position unlink',
  summary: 'Remove a banner from a position',
  description:
    'Removes the link between a banner and a position. The banners after it move up, and the click URLs of the link stop working. The banner and its statistics are kept.',
  arguments: {
    position: positionParameter,
    banner: required(idValue, { placeholder: 'BANNER', description: 'Id of the banner' }),
  },
  options: {},
  examples: [
    { line: 'position unlink sidebar 3', does: 'Remove a banner from a position' },
    { line: 'position unlink 2 3 --json', does: 'Remove a banner and print the link as JSON' },
  ],
  async run({ position, banner }, deps) {
    const store = await deps.openReady();
    const { id, name } = await findPosition(store, position);
    const link = await unlinkBanner(store, { position: id, ad: banner, username });
    const message = `Removed banner ${banner} from position ${id} "${name}".`;
    return { kind: 'done', message, data: { ...linkRecord(link), removed: true } };
  },
});
