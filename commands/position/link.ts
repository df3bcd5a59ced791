/** `hcd position link POSITION BANNER`: links a banner to a position. */
import { linkBanner } from '../../src/banners/management/position-links.js';
import { findPosition } from '../../src/banners/management/positions.js';
import { integerValue } from '../../src/config/value-type.js';
import { idValue, positionParameter, username } from '../banner/shared.js';
import { defineCommand } from '../command.js';
import { optional, required } from '../parameters.js';
import { linkRecord } from './shared.js';

export const command = defineCommand({
  path: 'position link',
  summary: 'Add a banner to a position',
  description:
    'Links a banner to a position and prints the link. Its id is part of the click and impression URLs. When the link exists, its weight and place are updated. The weight applies to the weighted rotation: a banner with weight 3 is shown three times as often as one with weight 1.',
  arguments: {
    position: positionParameter,
    banner: required(idValue, { placeholder: 'BANNER', description: 'Id of the banner' }),
  },
  options: {
    weight: optional(integerValue({ min: 1, max: 1_000_000 }), {
      placeholder: 'N',
      description: 'Weight in the rotation (default: 1 for a new link)',
    }),
    idx: optional(integerValue({ min: 0, max: 1_000_000 }), {
      placeholder: 'N',
      description: 'Place in the order of the position, from 0 (default: last)',
    }),
  },
  examples: [
    { line: 'position link sidebar 3 --weight 2', does: 'Show a banner twice as often as the others' },
    { line: 'position link 2 3 --idx 0 --json', does: 'Put a banner first and print the link as JSON' },
  ],
  async run(options, deps) {
    const { banner, weight = null, idx = null } = options;
    const store = await deps.openReady();
    const { id } = await findPosition(store, options.position);
    const { link, isNew } = await linkBanner(store, { position: id, ad: banner, weight, idx, username });
    const notes = isNew ? [] : ['The banner was already linked to this position.'];
    return { kind: 'record', record: linkRecord(link), notes };
  },
});
