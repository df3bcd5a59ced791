/** `hcd webhook listen`: a local receiver that verifies and prints deliveries. */

import type { IncomingHttpHeaders } from 'node:http';
import type { Clock } from '../../src/clock/clock.js';
import { integerValue, textValue, timeValue } from '../../src/config/value-type.js';
import { isJsonObject, parseJson } from '../../src/values/json.js';
import { capLength, escapeControls } from '../../src/values/text.js';
import { makeOutboundPolicy } from '../../src/webhooks/addresses/outbound-policy.js';
import { checkReceiverUrl } from '../../src/webhooks/addresses/receiver-url.js';
import { openSecrets, openWebhookSealer } from '../../src/webhooks/administration/secrets.js';
import { openOutbound } from '../../src/webhooks/client/outbound.js';
import { classify } from '../../src/webhooks/rules/retry.js';
import { verifyDelivery } from '../../src/webhooks/rules/signatures.js';
import { defineCommand } from '../command.js';
import type { Deps } from '../deps.js';
import { aborted } from '../host.js';
import { type Paint, paintFor } from '../paint.js';
import { idValue, optional, repeated, usageError } from '../parameters.js';
import { joinParts } from '../terminal-text.js';
import { type ReceivedRequest, startListenServer } from './listen-server.js';

const noContent = 204;
const badGateway = 502;

export const command = defineCommand({
  description:
    'Listens on 127.0.0.1 for deliveries at any path and prints each of them: event, ids, result of the signature check, and payload. Prints "listening on http://127.0.0.1:PORT" on standard error when it is ready. With --secret or --webhook it checks webhook-signature and X-Gateway-Signature as a receiver does, including the age of at most 5 minutes, and prints "verified", or "NOT verified" with the reason. Deliveries to this machine require gateway_webhook_allow_private_urls, or 127.0.0.1 in gateway_webhook_allowed_networks.\n\nThe answer is 204, or --status, or with --forward the answer of the application (502 when there is none). Ctrl-C stops it. With --json each delivery is printed as one line with one JSON object {"data": …}.',
  options: {
    port: optional(integerValue({ min: 0, max: 65_535 }), 'Port to listen on; 0 picks a free port (default: 9400)', {
      placeholder: 'PORT',
    }),
    secret: repeated(textValue(), 'Secret to verify signatures with'),
    webhook: optional(idValue, 'Subscription to read the secrets of from the database', { placeholder: 'ID' }),
    forward: optional(
      textValue({ accepts: 'the URL of an application' }),
      'URL to forward each delivery to, with its headers and exact bytes',
      { placeholder: 'URL' },
    ),
    status: optional(integerValue({ min: 200, max: 599 }), 'Status to answer with (default: 204)', {
      placeholder: 'STATUS',
    }),
    count: optional(
      integerValue({ min: 1, max: 1_000_000 }),
      'Number of deliveries to stop after; exits with 1 when one was not verified',
    ),
  },
  examples: {
    'webhook listen --webhook 3': 'Verify and print deliveries to subscription 3',
    'webhook listen --port 9401 --forward http://127.0.0.1:3000/api/revalidate':
      'Show the deliveries to an application and its answers',
    'webhook listen --count 1 --json': 'Wait for one delivery and print it as JSON',
  },
  endsItself: true,
  async run({ port = 9400, secret, webhook, forward, status, count = Number.POSITIVE_INFINITY }, deps) {
    if (forward !== undefined) checkForwardUrl(forward);
    if (forward !== undefined && status !== undefined) {
      throw usageError({ '--status': 'cannot be combined with --forward' });
    }
    const secrets = [...secret, ...(webhook === undefined ? [] : await secretsOf(webhook, deps))];
    const enough = new AbortController();
    const faults: unknown[] = [];
    let forwarder: Forwarder | null = null;
    let received = 0;
    let allVerified = true;

    const onRequest = async (request: ReceivedRequest): Promise<number> => {
      const delivery = readDelivery(request, { secrets, now: deps.clock.now() });
      const forwarded = forwarder === null ? null : await forwarder.forward(request);
      const answered = forwarded === null ? (status ?? noContent) : (forwarded.status ?? badGateway);
      const { stdout } = deps.io;
      if (deps.flags.json) {
        stdout.write(`${JSON.stringify({ data: { ...delivery.record, forwarded, answered } })}\n`);
      } else {
        const how = forwarded === null ? '' : ` (${forwardedText(forwarded)})`;
        stdout.write(`${deliveryText(delivery, paintFor(stdout))}  answered ${answered}${how}\n`);
      }
      received += 1;
      allVerified &&= delivery.record.signature !== 'failed';
      // The answer is sent first, so that the sender does not record a failure when the receiver ends.
      if (received >= count) setImmediate(() => enough.abort());
      return answered;
    };
    const onError = (error: unknown): void => {
      faults.push(error);
      enough.abort();
    };

    const server = await startListenServer({ port, onRequest, onError });
    if (forward !== undefined)
      forwarder = openForwarder({ url: forward, clock: deps.clock, stop: deps.stop }, server.port);
    deps.io.stderr.write(`listening on http://127.0.0.1:${server.port}\n`);
    await aborted(AbortSignal.any([deps.stop, enough.signal]));
    await server.close();
    forwarder?.close();
    if (faults.length > 0) throw faults[0];
    return { kind: 'nothing', hasWritten: true, exitCode: allVerified ? 0 : 1 };
  },
});

async function secretsOf(id: number, deps: Deps): Promise<readonly string[]> {
  const { store } = await deps.openSite();
  return openSecrets(store, { id, sealer: await openWebhookSealer(store, deps.loadConfig().config.secret) });
}

function forwardedText({ status, error, duration_ms }: Forwarded): string {
  const came =
    status === null ? `the application did not answer: ${escapeControls(error ?? '')}` : 'by the application';
  return `${came}, ${duration_ms} ms`;
}

type Delivery = ReturnType<typeof readDelivery>;

function readDelivery(
  { headers, body }: ReceivedRequest,
  { secrets, now }: { readonly secrets: readonly string[]; readonly now: number },
) {
  const signed = {
    id: headerOf(headers, 'webhook-id'),
    timestamp: headerOf(headers, 'webhook-timestamp'),
    standard: headerOf(headers, 'webhook-signature'),
    gateway: headerOf(headers, 'x-gateway-signature'),
  };
  const seconds = Math.floor(now / 1000);
  const verdict = secrets.length === 0 ? null : verifyDelivery({ headers: signed, body, secrets, now: seconds });
  const text = body.toString('utf8');
  const payload = parseJson(text);
  const type = isJsonObject(payload) && typeof payload['type'] === 'string' ? payload['type'] : null;
  const record = {
    received_on: timeValue.format(seconds),
    event: headerOf(headers, 'x-gateway-event') ?? type,
    event_id: signed.id,
    delivery_id: headerOf(headers, 'x-gateway-delivery-id'),
    timestamp: signed.timestamp,
    signature: verdict === null ? 'unchecked' : verdict.kind,
    problems: verdict?.kind === 'failed' ? verdict.problems : [],
    /** Which of the given secrets signed, from 1. */
    secrets: verdict?.kind === 'verified' ? verdict.secrets.map((at) => at + 1) : [],
    payload: payload === undefined ? text : payload,
  } as const;
  return { record, isJson: payload !== undefined };
}

const longestShown = 20_000;

function deliveryText({ record, isJson }: Delivery, paint: Paint): string {
  const { received_on, event, event_id, delivery_id, payload } = record;
  const ids = joinParts([event_id && `id ${event_id}`, delivery_id && `delivery ${delivery_id}`], ', ');
  const shown = isJson ? JSON.stringify(payload, null, 2) : String(payload);
  return [
    `${received_on} ${paint.bold(escapeControls(event ?? 'no event'))} ${signatureText(record, paint)}`,
    ...(ids === '' ? [] : [`  ${escapeControls(ids)}`]),
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

type Forwarded = Awaited<ReturnType<Forwarder['forward']>>;
type Forwarder = ReturnType<typeof openForwarder>;

/** Headers of the incoming connection, and headers that the client sets itself. */
const ofConnection: ReadonlySet<string> = new Set([
  ...['host', 'content-length', 'connection', 'keep-alive', 'transfer-encoding', 'te', 'trailer', 'upgrade', 'expect'],
  ...['accept-encoding', 'proxy-authorization', 'proxy-connection'],
]);

/** Developers name their own application, so private addresses are allowed. */
const policy = makeOutboundPolicy({ allowPrivate: true });

/** Throws usage for a URL that cannot receive requests. */
function checkForwardUrl(url: string): void {
  const checked = checkReceiverUrl(url, policy);
  if (!checked.ok) throw usageError({ '--forward': checked.problem });
}

/** A request must not be forwarded to the receiver itself, on `ownPort`. */
function openForwarder(
  { url, clock, stop }: { readonly url: string; readonly clock: Clock; readonly stop: AbortSignal },
  ownPort: number,
) {
  const outbound = openOutbound({ clock });
  const guarded = { ...policy, ownListeners: [{ address: '127.0.0.1', port: ownPort }] };
  return {
    /** Never rejects. */
    async forward({ headers, body }: ReceivedRequest) {
      const started = clock.elapsed();
      const outcome = await outbound.send({ url, headers: passedOn(headers), body, policy: guarded, signal: stop });
      const { status, error } = classify(outcome);
      return { status, error: status === null ? error : null, duration_ms: Math.round(clock.elapsed() - started) };
    },
    close: () => outbound.close(),
  };
}

function passedOn(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      ofConnection.has(name) || value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
    ),
  );
}
