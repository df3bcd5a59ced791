/** `hcd config show`: the effective process configuration with the source of every value. Opens no database. */
import { describeConfig } from '../../src/config/describe.js';
import { defineCommand } from '../command.js';

export const command = defineCommand({
  path: 'config show',
  summary: 'Show the effective configuration and where each value comes from',
  description:
    'Prints every value of the process configuration with its source: flag, environment, file or default. Secrets are masked. Runtime settings that the environment fixes follow, marked as locked. The database is not opened, so this works while it is down.',
  arguments: {},
  options: {},
  examples: [
    { line: 'config show', does: 'Show what is in effect here' },
    { line: 'config show --config /etc/hcd.toml --json', does: 'Check a configuration file from a script' },
  ],
  async run(_options, deps) {
    const rows = describeConfig(deps.loadConfig(), deps.env);
    return { kind: 'list', columns: ['name', 'value', 'source', 'locked'], rows: rows.map((row) => ({ ...row })) };
  },
});
