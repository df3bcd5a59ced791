/** Spans of requests, plans, statements and deliveries, as a tracing SDK that an operator loads gets them. */
import { context, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-node';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { systemClock } from '../../src/clock/clock.js';
import { openStore } from '../../src/store/open/open.js';
import { openTraces } from '../../src/traces/traces.js';
import { runCli } from '../support/cli.js';
import { describeEachDatabase } from '../support/databases.js';
import { startTestSite } from '../support/site.js';
import { startWebhookReceiver } from '../support/webhook-receiver.js';

const callerTrace = '0af7651916cd43dd8448eb211c80319c';
const callerSpan = 'b7ad6b7169203331';
const traceparent = `00-${callerTrace}-${callerSpan}-01`;
const secret = 'a root secret for tests, long enough';

const exporter = new InMemorySpanExporter();

/** Loads the SDK, as `node --import ./otel.mjs` does. */
function loadSdk(): void {
  new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }).register();
}

beforeEach(() => exporter.reset());
afterEach(() => {
  trace.disable();
  context.disable();
  propagation.disable();
});

it('gives nothing where no SDK is loaded', async () => {
  expect(await openTraces('1.0.0')).toBeUndefined();
  loadSdk();
  expect(await openTraces('1.0.0')).toBeDefined();
});

it('hands on only what has the form of a traceparent, whatever a propagator writes', async () => {
  const written: string[] = [traceparent, `${traceparent}-more`, 'x'.repeat(56), ''];
  propagation.setGlobalPropagator({
    inject: (_context, carrier, setter) => setter.set(carrier, 'traceparent', written[0] ?? ''),
    extract: (from) => from,
    fields: () => ['traceparent'],
  });
  new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }).register({ propagator: null });
  const traces = await openTraces('1.0.0');
  const handed = [];
  for (; written.length > 0; written.shift()) handed.push(traces?.current());
  expect(handed).toEqual([traceparent, undefined, undefined, undefined]);
});

describeEachDatabase('traces', ({ name: dialect, url }) => {
  async function startTraced() {
    const databaseUrl = await url();
    loadSdk();
    const traces = await openTraces('1.0.0');
    const site = await startTestSite({ databaseUrl, traces });
    exporter.reset();
    return { site, databaseUrl };
  }
  const named = (name: string): ReadableSpan | undefined =>
    exporter.getFinishedSpans().find((span) => span.name === name);

  it('continues the trace of the caller with the request, the plan and the statements', async () => {
    const { site } = await startTraced();
    const headers = { traceparent };
    const { status, body } = await site.get('/resources?limit=3&filter[alias][eq]=secret-value', { headers });
    expect([status, body]).toEqual([200, expect.anything()]);
    const request = named('GET /api/v1/resources');
    expect(request).toMatchObject({
      kind: SpanKind.SERVER,
      parentSpanContext: { traceId: callerTrace, spanId: callerSpan },
      attributes: {
        'http.request.method': 'GET',
        'http.route': '/api/v1/resources',
        'http.response.status_code': 200,
        'hcd.api': 'gateway',
      },
    });
    expect(named('plan')).toMatchObject({ attributes: { 'hcd.object': 'resources' } });
    const statement = named('SELECT');
    expect(statement).toMatchObject({ kind: SpanKind.CLIENT, attributes: { 'db.system.name': dialect } });
    const all = exporter.getFinishedSpans();
    expect(new Set(all.map((span) => span.spanContext().traceId))).toEqual(new Set([callerTrace]));
    for (const span of all.filter((one) => one !== request)) {
      expect(span.parentSpanContext?.spanId).toBe(request?.spanContext().spanId);
    }
    expect(JSON.stringify(all.map(({ name, attributes, events }) => [name, attributes, events]))).not.toContain(
      'secret-value',
    );
  });

  it('begins a trace where the caller has none, and marks refusals by their status only', async () => {
    const { site } = await startTraced();
    await site.get('/resources/999999');
    await site.get('/nothing-here', { headers: { traceparent: 'not a traceparent' } });
    const [missing, unknown] = exporter.getFinishedSpans().filter(({ kind }) => kind === SpanKind.SERVER);
    expect(missing).toMatchObject({ name: 'GET /api/v1/resources/:id', status: { code: SpanStatusCode.UNSET } });
    expect(missing?.parentSpanContext).toBeUndefined();
    expect(unknown).toMatchObject({ name: 'GET', attributes: { 'http.response.status_code': 404 } });
  });

  it('continues the trace of a change with its delivery, and shows neither path nor query of the receiver', async () => {
    const { site, databaseUrl } = await startTraced();
    const receiver = await startWebhookReceiver();
    const env = { HCD_DATABASE_URL: databaseUrl, HCD_SECRET: secret, HCD_GATEWAY_WEBHOOK_ALLOW_PRIVATE_URLS: '1' };
    const run = (line: string) => runCli(line, { env, clock: systemClock, openStore });
    const hook = `${receiver.url}-path?token=in-the-url`;
    const added = await run(`webhook add --name site --url ${hook} --events resources.created`);
    expect(added).toMatchObject({ code: 0 });
    const key = /gk_\w+/.exec((await run('key create --scopes resources.create --name writer')).stdout)?.[0];
    const headers = { authorization: `Bearer ${key}`, traceparent };
    const body = { pagetitle: 'News' };
    expect(await site.get('/resources', { method: 'POST', headers, body })).toMatchObject({ status: 201 });
    const transactions = exporter.getFinishedSpans().filter(({ name }) => name === 'transaction');
    exporter.reset();
    expect(await run('worker --once')).toMatchObject({ code: 0, stdout: expect.stringContaining('Delivered 1 of 1') });
    const [sent] = exporter.getFinishedSpans().filter(({ name }) => name === 'POST');
    const { port, hostname } = new URL(receiver.url);
    expect(sent).toMatchObject({
      kind: SpanKind.CLIENT,
      attributes: { 'server.address': hostname, 'server.port': Number(port), 'http.response.status_code': 204 },
    });
    const { traceId = '', spanId = '' } = sent?.spanContext() ?? {};
    expect(receiver.received[0]?.headers.traceparent).toBe(`00-${traceId}-${spanId}-01`);
    expect(traceId).toBe(callerTrace);
    expect(transactions.map((span) => span.spanContext().spanId)).toContain(sent?.parentSpanContext?.spanId);

    // An event that was raised without a trace.
    expect(await run('webhook test 1 --queue')).toMatchObject({ code: 0 });
    exporter.reset();
    expect(await run('worker --once')).toMatchObject({ code: 0, stdout: expect.stringContaining('Delivered 1 of 1') });
    const [own] = exporter.getFinishedSpans().filter(({ name }) => name === 'POST');
    expect([own?.parentSpanContext, own?.spanContext().traceId === callerTrace]).toEqual([undefined, false]);
    const shown = JSON.stringify(exporter.getFinishedSpans().map(({ name, attributes }) => [name, attributes]));
    expect(shown).not.toMatch(/in-the-url|hook-path/);
    await site.close();
  });
});
