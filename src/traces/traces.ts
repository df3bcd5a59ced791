/** Spans through the API package of OpenTelemetry; none has query strings, values of statements or texts of errors. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Attributes, Span } from '@opentelemetry/api';
import { perObject } from '../values/kept-values.js';

export type Traces = NonNullable<Awaited<ReturnType<typeof openTraces>>>;

interface TracedRequest {
  readonly method?: string | undefined;
  readonly headers: IncomingHttpHeaders;
}

interface RequestEnd {
  readonly api: string;
  readonly requestId: string;
  readonly route: string | null;
  readonly status: number;
}

type SendEnd = { readonly status: number } | { readonly failure: string };

const traceparentForm = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;

const knownMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT']);

/** Undefined without loaded tracing, so that requests pay nothing for it. */
export async function openTraces(version: string) {
  // The API package notes here what was loaded; most servers load none.
  if (!(Symbol.for('opentelemetry.js.api.1') in globalThis)) return undefined;
  const { context, propagation, ProxyTracerProvider, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } = await import(
    '@opentelemetry/api'
  );
  const provider = trace.getTracerProvider();
  if (provider instanceof ProxyTracerProvider && provider.getDelegateTracer('hcd') === undefined) return undefined;
  const tracer = trace.getTracer('hcd', version);
  const requestOf = perObject<TracedRequest, { span?: Span }>(() => ({}));

  const fail = (span: Span, type: string): void => {
    span.setAttribute('error.type', type);
    span.setStatus({ code: SpanStatusCode.ERROR });
  };

  return {
    request(request: TracedRequest, work: () => void): () => void {
      const method = methodOf(request);
      // Another instrumentation of HTTP may have begun a span already.
      const active = context.active();
      const parent = trace.getSpan(active) === undefined ? propagation.extract(ROOT_CONTEXT, request.headers) : active;
      const attributes = { 'http.request.method': method };
      const span = tracer.startSpan(method, { kind: SpanKind.SERVER, attributes }, parent);
      requestOf(request).span = span;
      return context.bind(trace.setSpan(parent, span), work);
    },
    requestFinished(request: TracedRequest, { api, requestId, route, status }: RequestEnd): void {
      const { span } = requestOf(request);
      if (span === undefined) return;
      span.setAttributes({ 'http.response.status_code': status, 'hcd.api': api, 'hcd.request_id': requestId });
      if (route !== null) {
        span.setAttribute('http.route', route);
        span.updateName(`${methodOf(request)} ${route}`);
      }
      if (status >= 500) fail(span, String(status));
      span.end();
    },
    /** Queries a database in a span of the request or delivery, or without a span if neither has one. */
    query<T>(name: string, attributes: Attributes, work: () => Promise<T>): Promise<T> {
      const parent = context.active();
      if (trace.getSpan(parent) === undefined) return work();
      const span = tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes }, parent);
      return endWith(span, context.with(trace.setSpan(parent, span), work));
    },
    step<T>(name: string, attributes: Attributes, work: () => T): T {
      const parent = context.active();
      if (trace.getSpan(parent) === undefined) return work();
      const span = tracer.startSpan(name, { attributes }, parent);
      try {
        return context.with(trace.setSpan(parent, span), work);
      } catch (error) {
        fail(span, nameOf(error));
        throw error;
      } finally {
        span.end();
      }
    },
    /** As text of the header traceparent; undefined outside a recorded trace. */
    current(): string | undefined {
      const carrier: { traceparent?: string } = {};
      propagation.inject(context.active(), carrier);
      // A propagator of the operator may write another form, which the column of deliveries does not hold.
      const { traceparent = '' } = carrier;
      return traceparentForm.test(traceparent) ? traceparent : undefined;
    },
    /** The span continues a trace if it names one; `send` gets the headers that hand it on. */
    outgoing<T>(
      { url, traceparent }: { readonly url: string; readonly traceparent?: string | null },
      send: (headers: Readonly<Record<string, string>>) => Promise<T>,
      end: (sent: T) => SendEnd,
    ): Promise<T> {
      const parent = traceparent ? propagation.extract(ROOT_CONTEXT, { traceparent }) : context.active();
      const span = tracer.startSpan('POST', { kind: SpanKind.CLIENT, attributes: targetOf(url) }, parent);
      const inner = trace.setSpan(parent, span);
      const headers: Record<string, string> = {};
      propagation.inject(inner, headers);
      const sending = async () => {
        const sent = await context.with(inner, () => send(headers));
        const how = end(sent);
        if ('status' in how) span.setAttribute('http.response.status_code', how.status);
        if ('failure' in how || how.status >= 400) fail(span, 'failure' in how ? how.failure : String(how.status));
        return sent;
      };
      return endWith(span, sending());
    },
  };

  async function endWith<T>(span: Span, work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      fail(span, nameOf(error));
      throw error;
    } finally {
      span.end();
    }
  }
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : 'unknown';
}

function methodOf({ method = '' }: TracedRequest): string {
  return knownMethods.has(method) ? method : '_OTHER';
}

/** Not the whole address: receivers have secrets in paths and query strings. */
function targetOf(url: string): Attributes {
  const { hostname, port, protocol } = new URL(url);
  return {
    'http.request.method': 'POST',
    'server.address': hostname,
    'server.port': Number(port) || (protocol === 'https:' ? 443 : 80),
  };
}
