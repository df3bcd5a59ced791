/** `hcd banner enable ID`: turns on a banner. */
import { defineCommand } from '../command.js';
import { bannerParameter, switchTo } from './shared.js';

export const command = defineCommand({
  path: 'banner enable',
  summary: 'Turn on a banner',
  description:
    'Turns a banner on. Whether it is shown also depends on its dates, hours, limits and targets. hcd banner list --on-schedule shows the banners whose dates and hours match now.',
  arguments: { id: bannerParameter },
  options: {},
  examples: [
    { line: 'banner enable 3', does: 'Turn on a banner' },
    { line: 'banner enable 3 --json', does: 'Turn on a banner and print it as JSON' },
  ],
  run({ id }, deps) {
    return switchTo(id, { deps, active: true });
  },
});
