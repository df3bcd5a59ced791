/** The one error class. Every deliberate refusal or failure of the program is an AppError with a catalogue code. */
import { catalogue, type ErrorCode, type ErrorKind } from './catalogue.js';

export interface ErrorDetails {
  /** Problems by field or parameter name; each text names the accepted values. */
  readonly fields?: Readonly<Record<string, readonly string[]>>;
  /** How many more fields have problems than `fields` names. */
  readonly omitted?: number;
  /** Methods of the path, for method_not_allowed. */
  readonly allow?: readonly string[];
  /** The body as a whole could not be read, whatever the route wants of it. */
  readonly isBodyMalformed?: true;
  /** Seconds until a retry makes sense. */
  readonly retryAfter?: number;
  /** Refused because too much is asked, not because anything is wrong: the log counts it and shows no stack. */
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

/** One problem with one field: 422 validation_failed on the gateway. */
export function invalidField(field: string, problem: string, title?: string): AppError {
  return invalidFields({ [field]: [problem] }, title);
}

/** All problems of one stage at once. `title` is the label that clients may match (for example "Invalid limit"). */
export function invalidFields(fields: Readonly<Record<string, readonly string[]>>, title?: string): AppError {
  const first = Object.values(fields)[0]?.[0];
  return new AppError('validation_failed', {
    message: title ?? first ?? catalogue.validation_failed.title,
    details: { fields },
  });
}

/** Collects problems by field, then throws them together. */
export class Problems {
  readonly #fields = new Map<string, string[]>();
  #title: string | undefined;

  /** The message of the refusal; absent = the title of the first problem that has one, else its text. */
  constructor(title?: string) {
    this.#title = title;
  }

  add(field: string, problem: string, title?: string): void {
    const list = this.#fields.get(field);
    if (list) list.push(problem);
    else this.#fields.set(field, [problem]);
    this.#title ??= title;
  }

  /** The problems so far by field. */
  get fields(): Readonly<Record<string, readonly string[]>> {
    return Object.fromEntries(this.#fields);
  }

  get any(): boolean {
    return this.#fields.size > 0;
  }

  /** Throws validation_failed when anything was added. */
  throwIfAny(): void {
    if (this.any) throw invalidFields(Object.fromEntries(this.#fields), this.#title);
  }
}
