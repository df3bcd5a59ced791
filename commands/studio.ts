/** `hcd studio`: the commands in a browser. */
import { durationValue, integerValue } from '../src/config/value-type.js';
import { defineCommand } from './command.js';
import { optional, toggle } from './parameters.js';

export const command = defineCommand({
  description:
    'Opens Studio in the browser: pages, banners, deliveries and the site, and every other command as a form. What you do there is what the commands do, with the same checks and questions; each form shows its command line. Studio works on the configured database and needs no running server.\n\nOnly this machine can reach it. The printed address works once, in one browser; do not pass it on. Studio ends with Ctrl-C, or after the time of --idle without a request. hcd audit list --identity studio shows what was changed.',
  options: {
    port: optional(integerValue({ min: 0, max: 65_535 }), 'Port to listen on (default: a free port)'),
    noOpen: toggle('Only print the address'),
    readOnly: toggle('Offer only commands that change nothing'),
    idle: optional(durationValue, 'Time without a request after which Studio ends (default: 1h)'),
  },
  examples: {
    studio: 'Open Studio in the browser',
    'studio --read-only': 'Look at a site without being able to change it',
    'studio --port 8090 --no-open': 'Print the address, for a browser behind an SSH tunnel to this port',
  },
  endsItself: true,
  async run({ port = 0, noOpen, readOnly, idle = 3600 }, deps) {
    const { openStudio } = await import('./studio/open-studio.js');
    return openStudio({ port, opens: !noOpen && !deps.flags.json, isReadOnly: readOnly, idleMs: idle * 1000 }, deps);
  },
});
