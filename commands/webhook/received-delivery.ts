/** A request to the local receiver: its event, the result of its signature check, and its text. */
import type { IncomingHttpHeaders } from 'node:http';
import { timeValue } from '../../src/config/value-type.js';
import { capLength, escapeControls } from '../../src/log/escape.js';
import { isJsonObject, parseJson } from '../../src/values/json.js';
import { verifyDelivery } from '../../src/webhooks/rules/signatures.js';
import type { JsonRecord, JsonValue } from '../command.js';
import type { Paint } from '../paint.js';
import type { ReceivedRequest } from './listen-server.js';

type Delivery = ReturnType<typeof readDelivery>;

/** `now` is Unix milliseconds. */
export function readDelivery(
  { headers, body }: ReceivedRequest,
  { secrets, now }: { readonly secrets: readonly string[]; readonly now: number },
) {
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const standard = headerOf(headers, 'webhook-signature');
  const gateway = headerOf(headers, 'x-gateway-signature');
  const seconds = Math.floor(now / 1000);
  const verdict =
    secrets.length === 0
      ? null
      : verifyDelivery({ headers: { id, timestamp, standard, gateway }, body, secrets, now: seconds });
  const text = body.toString('utf8');
  const payload = parseJson(text);
  const type = isJsonObject(payload) && typeof payload['type'] === 'string' ? payload['type'] : null;
  const record = {
    received_on: timeValue.format(seconds),
    event: headerOf(headers, 'x-gateway-event') ?? type,
    event_id: id,
    delivery_id: headerOf(headers, 'x-gateway-delivery-id'),
    timestamp,
    signature: verdict === null ? 'unchecked' : verdict.kind,
    problems: verdict?.kind === 'failed' ? verdict.problems : [],
    /** Which of the given secrets signed, from 1. */
    secrets: verdict?.kind === 'verified' ? verdict.secrets.map((at) => at + 1) : [],
    payload: payload === undefined ? text : (payload as JsonValue),
  } as const satisfies JsonRecord;
  return { record, isJson: payload !== undefined };
}

const longestShown = 20_000;

export function deliveryText({ record, isJson }: Delivery, paint: Paint): string {
  const { received_on, event, event_id, delivery_id, payload } = record;
  const ids = [
    ...(event_id === null ? [] : [`id ${event_id}`]),
    ...(delivery_id === null ? [] : [`delivery ${delivery_id}`]),
  ];
  const shown = isJson ? JSON.stringify(payload, null, 2) : String(payload);
  return [
    `${received_on} ${paint.bold(escapeControls(event ?? 'no event'))} ${signatureText(record, paint)}`,
    ...(ids.length === 0 ? [] : [`  ${escapeControls(ids.join(', '))}`]),
    ...capLength(shown, longestShown)
      .split('\n')
      .map((line) => `  ${escapeControls(line)}`),
    '',
  ].join('\n');
}

function signatureText({ signature, problems, secrets }: Delivery['record'], paint: Paint): string {
  if (signature === 'unchecked') return paint.yellow('not checked: no secret given');
  if (signature === 'failed') return paint.red(escapeControls(`NOT verified: ${problems.join('; ')}`));
  return paint.green(secrets.length > 1 ? `verified by secrets ${secrets.join(' and ')}` : 'verified');
}

/** Null when the header did not come, or came more than once. */
function headerOf(headers: IncomingHttpHeaders, name: string): string | null {
  const value = headers[name];
  return typeof value === 'string' ? value : null;
}
