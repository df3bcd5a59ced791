/** `hcd position explain`: what a position shows now, and why not the others. */

import { findPosition } from '../../src/banners/management/positions.js';
import { readImages } from '../../src/banners/management/read-banners.js';
import { isTag, mostTags } from '../../src/banners/rules/field-types.js';
import { explainPosition } from '../../src/banners/tracking/read-slot.js';
import { choiceValue, listValue, textValue, timeValue } from '../../src/config/value-type.js';
import { positionParameter } from '../banner/shared.js';
import { defineSiteCommand } from '../command.js';
import { defaultRows, idValue, optional, rowParameters, usageError } from '../parameters.js';

export const command = defineSiteCommand({
  description:
    'Shows the banners of a position in their order: those that a page would get now, from which the rotation of the page chooses, and for each other one the reason why not. The flags say for which page, as the parameters of GET /slots do.',
  arguments: { position: positionParameter },
  options: {
    context: optional(textValue(), 'Context of the page (default: gateway_context)', { placeholder: 'KEY' }),
    resource: optional(idValue, 'The page'),
    parent: optional(idValue, 'Another section that the page is in'),
    product: optional(idValue, 'Product that the page shows'),
    tags: optional(listValue(textValue()), 'Tags that the page asks for'),
    tagsMode: optional(choiceValue(['any', 'all']), 'Whether one of the tags is enough (default: any)'),
    at: optional(timeValue, 'Another time than now'),
    ...rowParameters,
  },
  examples: {
    'position explain sidebar': 'Show which banners a position has now, and why not the others',
    'position explain sidebar --resource 12 --at 2026-12-24T18:00:00Z --json': 'Ask for a page at another time',
  },
  async run(options, deps) {
    const { limit = defaultRows, offset = 0, tags = [], tagsMode = 'any', at } = options;
    if (tags.length > mostTags || !tags.every(isTag)) {
      throw usageError({ '--tags': `must be at most ${mostTags} tags of a-z, 0-9, _ and -` });
    }
    const { banners_timezone: zone, gateway_context } = await deps.settings('banners', 'gateway');
    const position = await findPosition(deps.store, options.position);
    const { rows, total } = await explainPosition(deps.store, {
      ...{ position, tags, tagsMode, limit, offset, context: options.context ?? gateway_context },
      resource: options.resource ?? null,
      parent: options.parent ?? null,
      product: options.product ?? null,
      moment: { ms: at === undefined ? deps.clock.now() : at * 1000, zone },
      images: await readImages(deps.store, deps),
    });
    return {
      kind: 'list',
      columns: ['idx', 'id', 'name', 'weight', 'shown', 'reason'],
      spare: ['weight', 'idx'],
      marks: { shown: { false: 'past' } },
      rows,
      total,
      offset,
      empty: `The position has no banners. Link one: hcd position link ${position.id} BANNER`,
    };
  },
});
