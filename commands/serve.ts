/** `hcd serve [gateway] [pages] [banners]`: the HTTP server, in one process or several. */
import { configDefinitions } from '../src/config/definitions.js';
import { asText, choiceValue } from '../src/config/value-type.js';
import { defineCommand } from './command.js';
import { optional, repeated } from './parameters.js';
import { apiNames } from './serve/api-names.js';

export const command = defineCommand({
  path: 'serve',
  summary: 'Serve the HTTP APIs',
  description:
    'Serves the content gateway, page delivery and the banner API, or the ones that are named. Prints "listening on http://HOST:PORT" on standard error when it is ready. SIGTERM (or Ctrl-C) ends it without failing a request that is under way; a second signal ends it at once. An empty embedded database is migrated first; any other database with pending migrations is refused.',
  arguments: {
    apis: repeated(choiceValue(apiNames), {
      placeholder: 'API',
      description: 'Which APIs to serve; all when left out',
    }),
  },
  options: {
    host: optional(asText(configDefinitions.host.type), { placeholder: 'HOST', description: 'Address to listen on' }),
    port: optional(asText(configDefinitions.port.type), {
      placeholder: 'PORT',
      description: 'Port to listen on; 0 picks a free one',
    }),
    workers: optional(asText(configDefinitions.workers.type), {
      placeholder: 'N',
      description: 'HTTP processes on this machine',
    }),
  },
  examples: [
    { line: 'serve', does: 'Serve all three APIs on http://127.0.0.1:8080' },
    {
      line: 'serve gateway --host 0.0.0.0 --port 80 --workers 4',
      does: 'Serve only the gateway, to everybody, in four processes',
    },
  ],
  endsItself: true,
  // Loaded when it runs: the server takes longer to load than most commands take to run.
  run: async (options, deps) => (await import('./serve/run-serve.js')).runServe(options, deps),
});
