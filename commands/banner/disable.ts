/** `hcd banner disable`: turn off a banner. */
import { defineSiteCommand } from '../command.js';
import { bannerParameter, switchTo } from './shared.js';

export const command = defineSiteCommand({
  description:
    'Turns a banner off. From the next request on, no slot shows it. Its links, counters and click URLs are kept: a click on a page that still shows the banner works.',
  arguments: { id: bannerParameter },
  examples: {
    'banner disable 3': 'Stop showing a banner',
    'banner disable 3 --json': 'Turn off a banner and print it as JSON',
  },
  run: ({ id }, deps) => switchTo(id, { deps, active: false }),
});
