/** `hcd config`: the process configuration. */
import { describeConfig } from '../src/config/load.js';
import { defineCommand } from './command.js';

export const commands = {
  show: defineCommand({
    description:
      'Prints every value of the process configuration with its source: flag, environment, file or default. Secrets are masked. Runtime settings that are set by the environment follow, marked as locked. JSON also has the default and the meaning of each. The database is not opened, so this works while it is down.',
    examples: {
      'config show': 'Show the configuration in this directory',
      'config show --config /etc/hcd.toml --json': 'Show the values of another file as JSON',
    },
    async run(_options, deps) {
      const rows = describeConfig(deps.loadConfig(), deps.env);
      return { kind: 'list', columns: ['name', 'value', 'source', 'locked'], rows };
    },
  }),
};
