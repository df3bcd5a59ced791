/** `hcd webhook events`: list events and their payloads. */
import { nearMatch } from '../../src/config/near-match.js';
import { textValue } from '../../src/config/value-type.js';
import { type EventSample, eventSamples } from '../../src/content/administration/event-samples.js';
import { AppError } from '../../src/errors/app-error.js';
import { defineSiteCommand, type JsonRecord, type JsonValue } from '../command.js';
import { optional } from '../parameters.js';

export const command = defineSiteCommand({
  description:
    'Lists all events that a subscription can name, when they are raised, and an example of each payload. With EVENT the command prints that payload in full. A payload names the record that changed, not its new values: the receiver reads the record from the gateway, or drops its cache entries with the tags of meta.revalidate. data.revision increases with every event, so of two events about a record the one with the lower number is older.',
  arguments: {
    event: optional(textValue({ accepts: 'an event such as resources.updated', pattern: /^[^\s,]{1,128}$/ }), {
      description: 'Event whose payload is printed in full',
      suggestions: ['resources.created', 'resources.updated', 'resources.deleted', 'webhook.test'],
    }),
  },
  examples: {
    'webhook events': 'List all events',
    'webhook events resources.updated': 'Print an example payload',
    'webhook events --json': 'List all events with their payloads, as JSON',
  },
  async run({ event }, deps) {
    const samples = eventSamples(await deps.registry(), deps.clock.now());
    if (event === undefined)
      return { kind: 'list', columns: ['event', 'when', 'payload'], rows: samples.map(eventRecord) };
    const sample = samples.find((one) => one.event === event);
    if (sample === undefined) throw unknown(event, samples);
    const record = eventRecord(sample);
    return { kind: 'text', text: `${JSON.stringify(record['payload'], null, 2)}\n`, data: record };
  },
});

function eventRecord({ event, when, raised, body }: EventSample): JsonRecord {
  return { event, when, raised, payload: JSON.parse(body) as JsonValue };
}

function unknown(event: string, samples: readonly EventSample[]): AppError {
  const near = nearMatch(
    event,
    samples.map((sample) => sample.event),
  );
  const hint = near === undefined ? 'see hcd webhook events' : `did you mean ${near}?`;
  return new AppError('not_found', { message: `Unknown event ${event}; ${hint}` });
}
