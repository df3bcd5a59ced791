/** `hcd position link`: add a banner to a position. */
import { linkBanner } from '../../src/banners/management/position-links.js';
import { findPosition } from '../../src/banners/management/positions.js';
import { integerValue } from '../../src/config/value-type.js';
import { linkRecord, positionParameter } from '../banner/shared.js';
import { defineSiteCommand } from '../command.js';
import { idValue, optional, required } from '../parameters.js';

export const command = defineSiteCommand({
  description:
    'Links a banner to a position and prints the link. Its id is part of the click and impression URLs. When the link exists, its weight and place are updated. The weight applies to the weighted rotation: a banner with weight 3 is shown three times as often as one with weight 1.',
  arguments: {
    position: positionParameter,
    banner: required(idValue, { placeholder: 'BANNER', description: 'Id of the banner' }),
  },
  options: {
    weight: optional(integerValue({ min: 1, max: 1_000_000 }), 'Weight in the rotation (default: 1 for a new link)'),
    idx: optional(
      integerValue({ min: 0, max: 1_000_000 }),
      'Place in the order of the position, from 0 (default: last)',
    ),
  },
  examples: {
    'position link sidebar 3 --weight 2': 'Show a banner twice as often as the others',
    'position link 2 3 --idx 0 --json': 'Put a banner first and print the link as JSON',
  },
  async run(options, deps) {
    const { banner, weight = null, idx = null } = options;
    const { id } = await findPosition(deps.store, options.position);
    const { link, isNew } = await linkBanner(deps.store, {
      position: id,
      ad: banner,
      weight,
      idx,
      username: deps.writer,
    });
    const notes = isNew ? [] : ['The banner was already linked to this position.'];
    return { kind: 'record', record: linkRecord(link), notes };
  },
});
