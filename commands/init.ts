/** `hcd init`: guided set-up of a database and the configuration file. */
import { databaseUrlValue } from '../src/config/database-url.js';
import { configDefinitions } from '../src/config/definitions.js';
import { choiceValue, listValue } from '../src/config/value-type.js';
import { defineCommand } from './command.js';
import { scopeSuggestions, scopesValue } from './key/parameters.js';
import { optional, toggle } from './parameters.js';
import { apiNames } from './serve/api-names.js';

export const command = defineCommand({
  path: 'init',
  summary: 'Set up a database and write hcd.toml',
  description:
    'Asks which database to use, tests the connection and says what it found there, then which APIs to switch on, whether to make a first API key, and where to listen. Applies the migrations (on the database of an existing MODX site only the tables with the prefix hcd_ are made), stores the settings and writes hcd.toml, readable by its owner only. Every question has a flag; --yes takes the defaults of the others.\n\nThe key is printed once. It may read resources, or what --key-scopes says (hcd key create --help lists the scopes). None is made where the gateway stays off, where there are keys already, or with --without-key. The sample site brings a key and a user of its own (hcd demo --help).',
  arguments: {},
  options: {
    contentPrefix: optional(configDefinitions.content_prefix.type, {
      placeholder: 'PREFIX',
      description: 'Prefix of the content tables; found out when left out',
    }),
    ownDatabase: optional(databaseUrlValue, {
      placeholder: 'URL',
      description: 'Another database for the tables of hcd itself; that of the content when left out',
    }),
    apis: optional(listValue(choiceValue(apiNames), { min: 1 }), {
      placeholder: 'LIST',
      description: 'The APIs to switch on, the others off; when left out gateway, or all with --demo',
    }),
    host: optional(configDefinitions.host.type, { placeholder: 'HOST', description: 'Address to listen on' }),
    port: optional(configDefinitions.port.type, { placeholder: 'PORT', description: 'Port to listen on' }),
    keyScopes: optional(scopesValue, {
      placeholder: 'LIST',
      description: 'What the first API key may do; resources.read when left out',
      suggestions: scopeSuggestions,
    }),
    withoutKey: toggle('Make no API key'),
    demo: toggle('Load the sample site'),
    force: toggle('Replace an existing hcd.toml'),
  },
  examples: [
    { line: 'init', does: 'Answer the questions' },
    {
      line: 'init --yes --database mariadb://hcd:secret@db.example/site --apis gateway,pages',
      does: 'Set up on a server, without questions',
    },
    {
      line: 'init --yes --key-scopes resources.read,preview --json',
      does: 'Set up here with a key for previews, for a script',
    },
  ],
  // Loaded when it runs: the database layer takes longer to load than most commands take to run.
  run: async (options, deps) => (await import('./init/run-init.js')).runInit(options, deps),
});
