/** The line of a request for programs: a cheaper serializer of the same bytes as the general form. */
import { capLength, escapeControls } from '../values/text.js';
import type { RequestFinished } from './observation.js';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

export type Fields = Readonly<Record<string, unknown>>;

export interface Entry {
  readonly level: LogLevel;
  readonly message: string;
  readonly fields: Fields;
}

/** Characters of one text; what is longer is cut. */
export const longestField = 1024;

/** To a hundredth. */
export function rounded(milliseconds: number): number {
  return Math.round(milliseconds * 100) / 100;
}

export function jsonLine(entry: Entry, { time, event }: { readonly time: string; readonly event: string }): string {
  const line: Record<string, unknown> = {
    time,
    level: entry.level,
    event,
    message: capLength(entry.message, longestField),
  };
  for (const [name, value] of Object.entries(entry.fields)) {
    if (value !== undefined) line[name] = typeof value === 'string' && name !== 'stack' ? capField(name, value) : value;
  }
  // JSON leaves DEL, C1 controls, line separators and reordering marks as they are; inside strings \uXXXX is the same.
  return `${escapeControls(JSON.stringify(line))}\n`;
}

/** `error` is a chain of capped messages already. */
function capField(name: string, value: string): string {
  return name === 'error' ? value : capLength(value, longestField);
}

/** Printable ASCII that needs no escape inside a JSON string. */
const plain = /^[ !#-[\]-~]*$/;

type Request = Omit<RequestFinished, 'error'>;

interface Shape extends Pick<Request, 'api' | 'method' | 'status' | 'identity'> {
  readonly level: LogLevel;
  readonly start: string;
  readonly middle: string;
  readonly end: string;
}

/** By route; a server has a few for each of its routes. */
const shapes = new Map<string | null, Shape[]>();
const mostShapes = 2000;
let shapeCount = 0;

export function requestLine(
  request: Request,
  { time, level }: { readonly time: string; readonly level: LogLevel },
): string {
  const { requestId, durationMs, identityId } = request;
  const { start, middle, end } = shapeOf(request, level);
  const id = identityId === undefined ? '' : `,"identity_id":${quoted(identityId)}`;
  return `{"time":"${time}${start}${quoted(requestId)}${middle}${duration(durationMs)}${end}${id}}\n`;
}

function shapeOf(request: Request, level: LogLevel): Shape {
  const { api, method, route, status, identity } = request;
  for (const shape of shapes.get(route) ?? []) {
    const isSame = shape.status === status && shape.method === method && shape.identity === identity;
    if (isSame && shape.api === api && shape.level === level) return shape;
  }
  const shape = {
    ...{ api, method, status, identity, level },
    start: `","level":"${level}","event":"request_finished","message":${quoted(`${method} ${route ?? '-'}`)},"request_id":`,
    middle: `,"api":${quoted(api)},"method":${quoted(method)},"route":${route === null ? 'null' : quoted(route)},"status":${numeral(status)},"duration_ms":`,
    end: `,"identity":${quoted(identity)}`,
  };
  if (shapeCount >= mostShapes) {
    shapes.clear();
    shapeCount = 0;
  }
  shapeCount += 1;
  shapes.set(route, [...(shapes.get(route) ?? []), shape]);
  return shape;
}

function quoted(text: string): string {
  if (text.length <= longestField && plain.test(text)) return `"${text}"`;
  return escapeControls(JSON.stringify(capLength(text, longestField)));
}

/** Beyond it two decimal places do not fit into a number with the digits before them. */
const mostHundredths = 1e15;

/** Whole numbers become digits at a fraction of the cost of broken ones. */
function duration(milliseconds: number): string {
  const hundredths = Math.round(milliseconds * 100);
  if (!(hundredths >= 0 && hundredths < mostHundredths)) return numeral(rounded(milliseconds));
  const whole = Math.floor(hundredths / 100);
  const rest = hundredths % 100;
  if (rest === 0) return `${whole}`;
  return rest % 10 === 0 ? `${whole}.${rest / 10}` : `${whole}.${rest < 10 ? '0' : ''}${rest}`;
}

/** JSON has no word for NaN and the infinities. */
function numeral(value: number): string {
  return Number.isFinite(value) ? String(value) : 'null';
}
