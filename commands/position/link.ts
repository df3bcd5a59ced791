/** `hcd position link POSITION BANNER`: a banner is shown at a position. */
import { linkBanner } from '../../src/banners/management/position-links.js';
import { findPosition } from '../../src/banners/management/positions.js';
import { integerValue } from '../../src/config/value-type.js';
import { idValue, positionParameter, username } from '../banner/parameters.js';
import { defineCommand } from '../command.js';
import { optional, required } from '../parameters.js';
import { openReady } from '../store/open-ready.js';
import { linkRecord } from './link-record.js';

export const command = defineCommand({
  path: 'position link',
  summary: 'Show a banner at a position',
  description:
    'Links a banner to a position, at the end unless --idx names a place; a link that is there already gets the weight and the place that are given. Weights count in the weighted rotation: 3 is shown three times as often as 1. Prints the link; its id is what click and impression addresses name.',
  arguments: {
    position: positionParameter,
    banner: required(idValue, { placeholder: 'BANNER', description: 'Id of the banner' }),
  },
  options: {
    weight: optional(integerValue({ min: 1, max: 1_000_000 }), {
      placeholder: 'N',
      description: 'How often beside the others; 1 for a new link',
    }),
    idx: optional(integerValue({ min: 0, max: 1_000_000 }), {
      placeholder: 'N',
      description: 'Place among the banners of the position, from 0',
    }),
  },
  examples: [
    { line: 'position link sidebar 3 --weight 2', does: 'Show a banner twice as often as others' },
    { line: 'position link 2 3 --idx 0 --json', does: 'Put a banner first, from a script' },
  ],
  async run(options, deps) {
    const { banner, weight = null, idx = null } = options;
    const store = await openReady(deps);
    const { id } = await findPosition(store, options.position);
    const { link, isNew } = await linkBanner(store, { position: id, ad: banner, weight, idx, username });
    const notes = isNew ? [] : ['The banner was at this position already.'];
    return { kind: 'record', record: linkRecord(link), notes };
  },
});
