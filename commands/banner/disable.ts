/** `hcd banner disable ID`: a banner is shown nowhere. */
import { defineCommand } from '../command.js';
import { bannerParameter } from './parameters.js';
import { switchTo } from './switch-banner.js';

export const command = defineCommand({
  path: 'banner disable',
  summary: 'Switch a banner off',
  description:
    'Switches a banner off: from the next request on no slot has it. Its links, counters and click addresses stay; visitors who still see it on a page reach its target.',
  arguments: { id: bannerParameter },
  options: {},
  examples: [
    { line: 'banner disable 3', does: 'Show a banner no more' },
    { line: 'banner disable 3 --json', does: 'The same, from a script' },
  ],
  run({ id }, deps) {
    return switchTo(id, { deps, active: false });
  },
});
