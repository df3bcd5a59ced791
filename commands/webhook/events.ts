/** `hcd webhook events [EVENT]`: every event with its payload. */
import { resolve } from 'node:path';
import { nearMatch } from '../../src/config/near-match.js';
import { textValue } from '../../src/config/value-type.js';
import { type EventSample, eventSamples } from '../../src/content/administration/event-samples.js';
import { openRegistry } from '../../src/content/objects/object-registry.js';
import { AppError } from '../../src/errors/app-error.js';
import { defineCommand } from '../command.js';
import { optional } from '../parameters.js';
import type { JsonRecord, JsonValue } from '../result.js';
import { openReady } from '../store/open-ready.js';

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
  async run({ event }, deps) {
    const { config } = deps.loadConfig();
    const store = await openReady(deps);
    const registry = await openRegistry(store, {
      folder: resolve(deps.cwd, config.objects_dir),
      plugins: config.plugins,
    });
    const samples = eventSamples(registry, deps.clock.now());
    if (event === undefined)
      return { kind: 'list', columns: ['event', 'when', 'payload'], rows: samples.map(eventRecord) };
    const sample = samples.find((one) => one.event === event);
    if (sample === undefined) throw unknown(event, samples);
    const record = eventRecord(sample);
    return { kind: 'text', text: `${JSON.stringify(record['payload'], null, 2)}\n`, data: record };
  },
});

function eventRecord({ event, when, raised, body }: EventSample): JsonRecord {
  return { event, when, raised, payload: decode(body) };
}

function unknown(event: string, samples: readonly EventSample[]): AppError {
  const near = nearMatch(
    event,
    samples.map((sample) => sample.event),
  );
  const hint = near === undefined ? 'hcd webhook events lists every one' : `did you mean ${near}?`;
  return new AppError('not_found', { message: `There is no event ${event}; ${hint}` });
}

/** Text that this program wrote as JSON. */
function decode(body: string): JsonValue {
  return JSON.parse(body) as JsonValue;
}
