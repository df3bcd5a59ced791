/** Keeps refusals small: what a caller sent in great number or length is not repeated to it in full. */
import { AppError } from './app-error.js';

const mostFields = 20;
const mostTexts = 5;
const longestName = 100;
const longestText = 600;
const longestMessage = 1000;
/** Bytes of all names and texts together as JSON. */
const mostBytes = 24 * 1024;

type Fields = Readonly<Record<string, readonly string[]>>;

/**
 * The error with a message and fields that fit into a refusal, and the number of fields that did not. An error that
 * fits is given back as it is.
 */
export function boundedError(error: AppError): AppError {
  const { message, details, code, cause } = error;
  const fields = details.fields === undefined ? undefined : boundedFields(details.fields);
  if (fields === details.fields && message.length <= longestMessage) return error;
  const omitted = countOf(details.fields) - countOf(fields);
  return new AppError(code, {
    message: cut(message, longestMessage),
    details: { ...details, ...(fields === undefined ? {} : { fields }), ...(omitted > 0 ? { omitted } : {}) },
    cause,
  });
}

function countOf(fields: Fields = {}): number {
  return Object.keys(fields).length;
}

/** The fields that fit, in their order; the same object where all of them do. */
function boundedFields(fields: Fields): Fields {
  const shown = new Map<string, readonly string[]>();
  let isWhole = true;
  let left = mostBytes;
  for (const [name, texts] of Object.entries(fields)) {
    const entry = [cut(name, longestName), texts.slice(0, mostTexts).map((text) => cut(text, longestText))] as const;
    left -= Buffer.byteLength(JSON.stringify(entry));
    if (shown.size === mostFields || left < 0) {
      isWhole = false;
      break;
    }
    isWhole &&= entry[0] === name && texts.length <= mostTexts && texts.every((text, at) => text === entry[1][at]);
    shown.set(...entry);
  }
  return isWhole ? fields : Object.fromEntries(shown);
}

function cut(text: string, longest: number): string {
  return text.length <= longest ? text : `${text.slice(0, longest - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}
