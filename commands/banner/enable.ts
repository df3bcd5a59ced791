/** `hcd banner enable`: turn on a banner. */
import { defineSiteCommand } from '../command.js';
import { bannerParameter, switchTo } from './shared.js';

export const command = defineSiteCommand({
  description:
    'Turns a banner on. Whether it is shown also depends on its dates, hours, limits and targets. hcd banner list --on-schedule shows the banners whose dates and hours match now.',
  arguments: { id: bannerParameter },
  examples: {
    'banner enable 3': 'Turn on a banner',
    'banner enable 3 --json': 'Turn on a banner and print it as JSON',
  },
  run: ({ id }, deps) => switchTo(id, { deps, active: true }),
});
