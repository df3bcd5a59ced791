/** `hcd banner disable ID`: turns off a banner. */
import { defineCommand } from '../command.js';
import { bannerParameter, switchTo } from './shared.js';

export const command = defineCommand({
  path: 'banner disable',
  summary: 'Turn off a banner',
  description:
    'Turns a banner off. From the next request on, no slot shows it. Its links, counters and click URLs are kept: a click on a page that still shows the banner works.',
  arguments: { id: bannerParameter },
  options: {},
  examples: [
    { line: 'banner disable 3', does: 'Stop showing a banner' },
    { line: 'banner disable 3 --json', does: 'Turn off a banner and print it as JSON' },
  ],
  run({ id }, deps) {
    return switchTo(id, { deps, active: false });
  },
});
