/** The flags that every command accepts, before or after its name. */
import { databaseUrlValue } from '../src/config/database-url.js';
import { fileValue } from '../src/config/value-type.js';
import { optional, toggle, type Values } from './parameters.js';

export const globalParameters = {
  database: optional(databaseUrlValue, {
    placeholder: 'URL',
    description: 'Database: sqlite:PATH or mariadb://USER:PASS@HOST:PORT/DB',
  }),
  config: optional(fileValue, { placeholder: 'FILE', description: 'Configuration file (default: ./hcd.toml)' }),
  json: toggle('Print the result as one JSON object'),
  quiet: toggle('Print only results and errors, without notes and progress'),
  noColor: toggle('Print without color'),
  yes: toggle('Answer all questions with yes or their default'),
};

export type GlobalFlags = Values<typeof globalParameters>;

/** Read apart from the others, because they replace the command. */
export const helpFlag = { flags: '-h, --help', description: 'Show help' };
export const versionFlag = { flags: '-V, --version', description: 'Show the version' };
