/** The flags that every command accepts, before or after its name. */
import { databaseUrlValue } from '../src/config/database-url.js';
import { fileValue } from '../src/config/value-type.js';
import { optional, toggle, type Values } from './parameters.js';

export const globalParameters = {
  database: optional(databaseUrlValue, {
    placeholder: 'URL',
    description: 'Use this database: sqlite:PATH or mariadb://USER:PASS@HOST:PORT/DB',
  }),
  config: optional(fileValue, { placeholder: 'FILE', description: 'Read this file instead of ./hcd.toml' }),
  json: toggle('Print one JSON object'),
  quiet: toggle('Print results and errors only: no notes, progress or confirmations'),
  noColor: toggle('Print without colour'),
  yes: toggle('Answer every question with its default, or yes'),
};

export type GlobalFlags = Values<typeof globalParameters>;

/** Read apart from the others, because they replace the command. */
export const helpFlag = { flags: '-h, --help', description: 'Show help' };
export const versionFlag = { flags: '-V, --version', description: 'Show the version' };
