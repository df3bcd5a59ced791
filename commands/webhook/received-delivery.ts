/** A request to the local receiver: its event, the result of its signature check, and its text. Pure. */
import type { IncomingHttpHeaders } from 'node:http';
import { timeValue } from '../../src/config/time-values.js';
import { capLength, escapeControls } from '../../src/log/escape.js';
import { verifyDelivery } from '../../src/webhooks/rules/signatures.js';
import type { Paint } from '../paint.js';
import type { JsonRecord, JsonValue } from '../result.js';
import type { ReceivedRequest } from './listen-server.js';

export interface ReceivedDelivery {
  /** Unix milliseconds. */
  readonly receivedOn: number;
  readonly event: string | null;
  readonly eventId: string | null;
  readonly deliveryId: string | null;
  /** `webhook-timestamp`. */
  readonly timestamp: string | null;
  readonly signature: 'verified' | 'failed' | 'unchecked';
  /** Why it failed; empty otherwise. */
  readonly problems: readonly string[];
  /** Which of the given secrets signed, from 1. */
  readonly secrets: readonly number[];
  /** The decoded payload, or the text when it is not JSON. */
  readonly payload: JsonValue;
  readonly isJson: boolean;
}

export interface Reading {
  readonly secrets: readonly string[];
  /** Unix milliseconds. */
  readonly now: number;
}

export function readDelivery({ headers, body }: ReceivedRequest, { secrets, now }: Reading): ReceivedDelivery {
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const standard = headerOf(headers, 'webhook-signature');
  const gateway = headerOf(headers, 'x-gateway-signature');
  const verdict =
    secrets.length === 0
      ? null
      : verifyDelivery({ headers: { id, timestamp, standard, gateway }, body, secrets, now: Math.floor(now / 1000) });
  const text = body.toString('utf8');
  const parsed = parse(text);
  return {
    receivedOn: now,
    event: headerOf(headers, 'x-gateway-event') ?? typeOf(parsed?.value),
    eventId: id,
    deliveryId: headerOf(headers, 'x-gateway-delivery-id'),
    timestamp,
    signature: verdict === null ? 'unchecked' : verdict.kind,
    problems: verdict?.kind === 'failed' ? verdict.problems : [],
    secrets: verdict?.kind === 'verified' ? verdict.secrets.map((at) => at + 1) : [],
    payload: parsed?.value ?? (parsed === null ? text : null),
    isJson: parsed !== null,
  };
}

/** Members for `--json`. */
export function receivedRecord(delivery: ReceivedDelivery): JsonRecord {
  return {
    received_on: isoOf(delivery.receivedOn),
    event: delivery.event,
    event_id: delivery.eventId,
    delivery_id: delivery.deliveryId,
    timestamp: delivery.timestamp,
    signature: delivery.signature,
    problems: delivery.problems,
    secrets: delivery.secrets,
    payload: delivery.payload,
  };
}

const longestShown = 20_000;

/** Lines for people; control characters are escaped. */
export function receivedText(delivery: ReceivedDelivery, paint: Paint): string {
  const { receivedOn, event, eventId, deliveryId, payload, isJson } = delivery;
  const ids = [
    ...(eventId === null ? [] : [`id ${eventId}`]),
    ...(deliveryId === null ? [] : [`delivery ${deliveryId}`]),
  ];
  const shown = isJson ? JSON.stringify(payload, null, 2) : String(payload);
  return [
    `${isoOf(receivedOn)} ${paint.bold(escapeControls(event ?? 'no event'))} ${signatureText(delivery, paint)}`,
    ...(ids.length === 0 ? [] : [`  ${escapeControls(ids.join(', '))}`]),
    ...capLength(shown, longestShown)
      .split('\n')
      .map((line) => `  ${escapeControls(line)}`),
    '',
  ].join('\n');
}

function signatureText({ signature, problems, secrets }: ReceivedDelivery, paint: Paint): string {
  switch (signature) {
    case 'unchecked':
      return paint.yellow('not checked: no secret given');
    case 'failed':
      return paint.red(escapeControls(`NOT verified: ${problems.join('; ')}`));
    case 'verified':
      return paint.green(secrets.length > 1 ? `verified by secrets ${secrets.join(' and ')}` : 'verified');
    default:
      return signature satisfies never;
  }
}

/** Null when the header did not come, or came more than once. */
function headerOf(headers: IncomingHttpHeaders, name: string): string | null {
  const value = headers[name];
  return typeof value === 'string' ? value : null;
}

/** Null when the text is not JSON. */
function parse(text: string): { readonly value: JsonValue } | null {
  try {
    return { value: JSON.parse(text) as JsonValue };
  } catch {
    return null;
  }
}

function typeOf(payload: JsonValue | undefined): string | null {
  if (typeof payload !== 'object' || payload === null || !('type' in payload)) return null;
  return typeof payload.type === 'string' ? payload.type : null;
}

function isoOf(milliseconds: number): string {
  return timeValue.format(Math.floor(milliseconds / 1000));
}
