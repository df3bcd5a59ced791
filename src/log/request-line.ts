/**
 * The line of a request in the log for programs. Every request has one, so it is put together by hand: the same bytes
 * as the general form, at a fraction of its cost. Every text is quoted as if it came from outside.
 */
import { capLength, escapeControls } from './escape.js';
import { type LogLevel, longestField, rounded } from './json-line.js';
import type { RequestFinished } from './observation.js';

/** Printable ASCII that stands for itself inside a JSON string. */
const plain = /^[ !#-[\]-~]*$/;

/** The line with its line break, of a request without an error. */
export function requestLine(
  request: Omit<RequestFinished, 'error'>,
  { time, level }: { readonly time: string; readonly level: LogLevel },
): string {
  const { requestId, api, method, route, status, durationMs, identity, identityId } = request;
  const id = identityId === undefined ? '' : `,"identity_id":${quoted(identityId)}`;
  return `{"time":"${time}","level":"${level}","event":"request_finished","message":${quoted(`${method} ${route ?? '-'}`)},"request_id":${quoted(requestId)},"api":${quoted(api)},"method":${quoted(method)},"route":${route === null ? 'null' : quoted(route)},"status":${numeral(status)},"duration_ms":${duration(durationMs)},"identity":${quoted(identity)}${id}}\n`;
}

/** A JSON string in which nothing can end the string or the line. */
function quoted(text: string): string {
  if (text.length <= longestField && plain.test(text)) return `"${text}"`;
  return escapeControls(JSON.stringify(capLength(text, longestField)));
}

/** Beyond it two decimal places do not fit into a number beside the digits before them. */
const mostHundredths = 1e15;

/** Milliseconds to a hundredth. Whole numbers become digits at a fraction of the cost of broken ones. */
function duration(milliseconds: number): string {
  const hundredths = Math.round(milliseconds * 100);
  if (!(hundredths >= 0 && hundredths < mostHundredths)) return numeral(rounded(milliseconds));
  const whole = Math.floor(hundredths / 100);
  const rest = hundredths % 100;
  if (rest === 0) return `${whole}`;
  return rest % 10 === 0 ? `${whole}.${rest / 10}` : `${whole}.${rest < 10 ? '0' : ''}${rest}`;
}

/** JSON has no word for what is no number. */
function numeral(value: number): string {
  return Number.isFinite(value) ? String(value) : 'null';
}
