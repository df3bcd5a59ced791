/** `hcd position unlink`: remove a banner from a position. */
import { unlinkBanner } from '../../src/banners/management/position-links.js';
import { findPosition } from '../../src/banners/management/positions.js';
import { linkRecord, positionParameter } from '../banner/shared.js';
import { defineSiteCommand } from '../command.js';
import { idValue, required } from '../parameters.js';

export const command = defineSiteCommand({
  description:
    'Removes the link between a banner and a position. The banners after it move up, and the click URLs of the link stop working. The banner and its statistics are kept.',
  arguments: {
    position: positionParameter,
    banner: required(idValue, { placeholder: 'BANNER', description: 'Id of the banner' }),
  },
  examples: {
    'position unlink sidebar 3': 'Remove a banner from a position',
    'position unlink 2 3 --json': 'Remove a banner and print the link as JSON',
  },
  async run({ position, banner }, deps) {
    const { id, name } = await findPosition(deps.store, position);
    const link = await unlinkBanner(deps.store, { position: id, ad: banner, username: deps.writer });
    const message = `Removed banner ${banner} from position ${id} "${name}".`;
    return { kind: 'done', message, data: { ...linkRecord(link), removed: true } };
  },
});
