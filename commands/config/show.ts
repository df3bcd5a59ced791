/** `hcd config show`: the effective process configuration with the source of every value. Opens no database. */
import { describeConfig } from '../../src/config/load.js';
import { defineCommand } from '../command.js';

export const command = defineCommand({
  path: 'config show',
  summary: 'Show the configuration and the source of each value',
  description:
    'Prints every value of the process configuration with its source: flag, environment, file or default. Secrets are masked. Runtime settings that are set by the environment follow, marked as locked. The database is not opened, so this works while it is down.',
  arguments: {},
  options: {},
  examples: [
    { line: 'config show', does: 'Show the configuration in this directory' },
    { line: 'config show --config /etc/hcd.toml --json', does: 'Show the values of another file as JSON' },
  ],
  async run(_options, deps) {
    const rows = describeConfig(deps.loadConfig(), deps.env);
    return { kind: 'list', columns: ['name', 'value', 'source', 'locked'], rows: rows.map((row) => ({ ...row })) };
  },
});
