/** Every deliberate refusal or failure of the program is an AppError with a catalogue code. */
import { catalogue, type ErrorCode, type ErrorKind } from './catalogue.js';

/** Seconds of `Retry-After` where nothing says more. */
export const retrySeconds = 5;

interface FilePlace {
  readonly line: number;
  readonly column: number;
  readonly file?: string;
  readonly object?: string;
  readonly field?: string;
}

export interface ErrorDetails {
  readonly fields?: Readonly<Record<string, readonly string[]>>;
  /** Values of flags and arguments of a command among `fields`. */
  readonly given?: Readonly<Record<string, string>>;
  readonly omitted?: number;
  /** Line and column count from 1. */
  readonly place?: FilePlace;
  readonly kept?: { readonly records: number; readonly beforeLine: number };
  readonly allow?: readonly string[];
  /** What refers to the record that was to be removed. */
  readonly usedBy?: readonly Readonly<{ object: string; id: number | string; name: string }>[];
  readonly isBodyMalformed?: true;
  /** The last migration of a database that a newer program wrote. */
  readonly newer?: { readonly migration: string; readonly writtenBy: string | null };
  /** What the database answered: for the operator, never sent over HTTP. */
  readonly cause?: string;
  readonly retryAfter?: number;
  /** Of a refusal by the protocol, which has no code (417, 501), or of an OAuth client that used HTTP Basic (401). */
  readonly status?: number;
  readonly grantError?:
    | 'invalid_request'
    | 'invalid_client'
    | 'invalid_grant'
    | 'unauthorized_client'
    | 'unsupported_grant_type'
    | 'invalid_scope';
  /** Bytes of the file of which a range was asked for. */
  readonly length?: number;
  /** Refused because of load, not because of a fault: the log counts it without a stack. */
  readonly isLoad?: true;
}

export class AppError extends Error {
  readonly code: ErrorCode;
  readonly details: ErrorDetails;

  constructor(code: ErrorCode, options: { message?: string; details?: ErrorDetails; cause?: unknown } = {}) {
    super(options.message ?? catalogue[code].title, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.details = options.details ?? {};
  }

  get kind(): ErrorKind {
    return catalogue[this.code].kind;
  }
}

/** Of a query parameter. */
export function badParameter(name: string, problem: string): AppError {
  return new AppError('bad_request', { message: `${name} ${problem}` });
}

/** Parsers of Node refuse most such addresses before they reach the program. */
export function unencodedAddress(): AppError {
  const message =
    'The address has bytes outside printable ASCII; percent-encode them as UTF-8, for example é as %C3%A9';
  return new AppError('bad_request', { message });
}

export function invalidField(field: string, problem: string, title?: string): AppError {
  return invalidFields({ [field]: [problem] }, title);
}

/** `title` is the label that clients may match (for example "Invalid limit"). */
export function invalidFields(fields: Readonly<Record<string, readonly string[]>>, title?: string): AppError {
  const first = Object.values(fields)[0]?.[0];
  return new AppError('validation_failed', {
    message: title ?? first ?? catalogue.validation_failed.title,
    details: { fields },
  });
}

export class Problems {
  readonly #fields = new Map<string, string[]>();
  #title: string | undefined;

  /** Absent = the title of the first problem that has one, else its text. */
  constructor(title?: string) {
    this.#title = title;
  }

  add(field: string, problem: string, title?: string): void {
    const list = this.#fields.get(field);
    if (list) list.push(problem);
    else this.#fields.set(field, [problem]);
    this.#title ??= title;
  }

  get fields(): Readonly<Record<string, readonly string[]>> {
    return Object.fromEntries(this.#fields);
  }

  get any(): boolean {
    return this.#fields.size > 0;
  }

  get refusal(): AppError | undefined {
    return this.any ? invalidFields(this.fields, this.#title) : undefined;
  }

  throwIfAny(): void {
    if (this.any) throw this.refusal;
  }
}

const mostFields = 20;
const mostTexts = 5;
const longestName = 100;
const longestText = 600;
const longestMessage = 1000;
/** Bytes of all names and texts together as JSON. */
const mostBytes = 24 * 1024;

type Fields = Readonly<Record<string, readonly string[]>>;

/** The error cut to what fits into a refusal; one that fits is returned as it is. */
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

function boundedFields(fields: Fields): Fields {
  const shown = new Map<string, readonly string[]>();
  let isWhole = true;
  let left = mostBytes;
  for (const [name, texts] of Object.entries(fields)) {
    const entry = [cut(name, longestName), texts.slice(0, mostTexts).map((text) => cut(text, longestText))] as const;
    left -= new TextEncoder().encode(JSON.stringify(entry)).length;
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
