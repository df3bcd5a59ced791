/** `hcd position unlink POSITION BANNER`: a banner is shown there no more. */
import { unlinkBanner } from '../../src/banners/management/position-links.js';
import { findPosition } from '../../src/banners/management/positions.js';
import { idValue, positionParameter, username } from '../banner/parameters.js';
import { defineCommand } from '../command.js';
import { required } from '../parameters.js';
import { openReady } from '../store/open-ready.js';
import { linkRecord } from './link-record.js';

export const command = defineCommand({
  path: 'position unlink',
  summary: 'Take a banner away from a position',
  description:
    'Removes the link of a banner to a position; the banners behind it move up, and click addresses of the link lead nowhere then. The banner and its statistics stay.',
  arguments: {
    position: positionParameter,
    banner: required(idValue, { placeholder: 'BANNER', description: 'Id of the banner' }),
  },
  options: {},
  examples: [
    { line: 'position unlink sidebar 3', does: 'Show a banner there no more' },
    { line: 'position unlink 2 3 --json', does: 'The same, from a script' },
  ],
  async run({ position, banner }, deps) {
    const store = await openReady(deps);
    const { id, name } = await findPosition(store, position);
    const link = await unlinkBanner(store, { position: id, ad: banner, username });
    const message = `Took banner ${banner} away from position ${id} "${name}".`;
    return { kind: 'done', message, data: { ...linkRecord(link), removed: true } };
  },
});
