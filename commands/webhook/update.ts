/** `hcd webhook update ID`: another address, list of events or name. */
import { defineCommand } from '../command.js';
import { optional } from '../parameters.js';
import { aboutEvents, eventsValue, nameValue, subscriptionParameter, urlValue } from './parameters.js';

export const command = defineCommand({
  path: 'webhook update',
  summary: 'Change a webhook subscription',
  description:
    'Changes the address, the events or the name of a subscription; what is not given stays. Events from now on follow the new values; deliveries that are queued already keep the address that they were queued with.',
  arguments: { id: subscriptionParameter },
  options: {
    url: optional(urlValue, { placeholder: 'URL', description: 'Where deliveries are sent' }),
    events: optional(eventsValue, aboutEvents),
    name: optional(nameValue, {
      placeholder: 'NAME',
      description: 'Whose receiver it is; the empty text takes the name away',
    }),
  },
  examples: [
    { line: 'webhook update 3 --events resources.updated,resources.deleted', does: 'Deliver two events only' },
    { line: 'webhook update 3 --url https://site.example/hooks/v2 --json', does: 'Move a receiver, from a script' },
  ],
  // Loaded when it runs: the database layer takes longer to load than most commands take to run.
  run: async (options, deps) => (await import('./run-update.js')).runUpdate(options, deps),
});
