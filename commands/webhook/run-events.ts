/** Lists events for `hcd webhook events`. */
import { resolve } from 'node:path';
import { nearMatch } from '../../src/config/near-match.js';
import { openRegistry } from '../../src/content/objects/object-registry.js';
import { AppError } from '../../src/errors/app-error.js';
import { type EventSample, eventSamples } from '../../src/webhooks/event-samples.js';
import type { Deps } from '../deps.js';
import type { JsonRecord, JsonValue, Result } from '../result.js';
import { openReady } from '../store/open-ready.js';

export async function runEvents({ event }: { readonly event: string | undefined }, deps: Deps): Promise<Result> {
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
}

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
