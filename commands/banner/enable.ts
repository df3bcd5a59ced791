/** `hcd banner enable ID`: a banner may be shown again. */
import { defineCommand } from '../command.js';
import { bannerParameter } from './parameters.js';
import { switchTo } from './switch-banner.js';

export const command = defineCommand({
  path: 'banner enable',
  summary: 'Switch a banner on',
  description:
    'Switches a banner on. Whether it is shown also depends on its dates, hours, limits and targets; hcd banner list --on-schedule tells about dates and hours.',
  arguments: { id: bannerParameter },
  options: {},
  examples: [
    { line: 'banner enable 3', does: 'Show a banner' },
    { line: 'banner enable 3 --json', does: 'The same, from a script' },
  ],
  run({ id }, deps) {
    return switchTo(id, { deps, active: true });
  },
});
