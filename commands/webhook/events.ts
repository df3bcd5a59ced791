/** `hcd webhook events [EVENT]`: every event with its payload. */
import { textValue } from '../../src/config/value-type.js';
import { defineCommand } from '../command.js';
import { optional } from '../parameters.js';

export const command = defineCommand({
  path: 'webhook events',
  summary: 'List the events and their payloads',
  description:
    'Lists every event that a subscription may name, when it is raised, and an example of its payload: those of the core objects and of the registered ones. With the name of an event it prints that payload in full. A payload says what changed and never to what: the receiver asks the gateway for the rest, or drops what it keeps under the tags of meta.revalidate. data.revision grows with every event, so of two events about a record the one with the smaller number is older.',
  arguments: {
    event: optional(textValue({ accepts: 'an event such as resources.updated', pattern: /^[^\s,]{1,128}$/ }), {
      placeholder: 'EVENT',
      description: 'One event, whose payload is printed in full',
      suggestions: ['resources.created', 'resources.updated', 'resources.deleted', 'webhook.test'],
    }),
  },
  options: {},
  examples: [
    { line: 'webhook events', does: 'Show every event' },
    { line: 'webhook events resources.updated', does: 'Print an example payload' },
    { line: 'webhook events --json', does: 'Read all of them with their payloads, for a script' },
  ],
  // Loaded when it runs: the database layer takes longer to load than most commands take to run.
  run: async (options, deps) => (await import('./run-events.js')).runEvents(options, deps),
});
