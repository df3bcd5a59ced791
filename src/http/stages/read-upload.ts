/** Reads a form with a file: the file goes to the disk piece by piece, its name and the other fields stay short. */
import { EventEmitter, once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Writable } from 'node:stream';
import { multipart } from 'formidable';
import type { Middleware } from 'koa';
import { AppError, invalidField } from '../../errors/app-error.js';
import { diskError } from '../../errors/disk-error.js';
import type { RequestBody, RequestDoc } from '../interface/endpoint.js';
import type { Stage } from '../interface/request-state.js';

type Upload = Extract<RequestBody, { readonly kind: 'upload' }>;
type UploadDoc = NonNullable<RequestDoc['upload']>;
type Context = Parameters<Stage>[0];

/** Of a form besides its file. */
export const formBytes = 65_536;
const fieldBytes = 16_384;

/** Throws payload_too_large, validation_failed, bad_request, unavailable; then nothing is left on the disk. */
export async function readUpload(ctx: Context, { place: newPlace, maxBytes }: UploadDoc): Promise<Upload> {
  const place = await newPlace();
  let stream: WriteStream | undefined;
  let headerBytes = 0;
  const reader = await makeReader(maxBytes(), {
    open() {
      if (stream !== undefined) return nowhere();
      stream = createWriteStream(place, { flags: 'wx', flush: true });
      return stream;
    },
    noteHeaders(bytes) {
      headerBytes = Math.max(headerBytes, bytes);
    },
  });
  try {
    await reader(ctx, async () => undefined);
    if (headerBytes > fieldBytes) throw invalidField('body', `has headers of a part of more than ${fieldBytes} bytes`);
    if (stream !== undefined && !stream.closed) await once(stream, 'close');
    return { kind: 'upload', ...formOf(ctx.request, place) };
  } catch (error) {
    await dropFile(place, stream);
    throw uploadError(error, maxBytes());
  }
}

export async function dropUpload(body: RequestBody | null): Promise<void> {
  if (body?.kind === 'upload' && body.file !== null) await rm(body.file.place, { force: true });
}

async function dropFile(place: string, stream: WriteStream | undefined): Promise<void> {
  if (stream === undefined) return;
  stream.destroy();
  if (!stream.closed) await once(stream, 'close').catch(() => undefined);
  await rm(place, { force: true });
}

interface Parts {
  readonly open: () => Writable;
  readonly noteHeaders: (bytes: number) => void;
}

async function makeReader(maxFileSize: number, { open, noteHeaders }: Parts): Promise<Middleware> {
  const { koaBody } = await import('koa-body');
  return koaBody({
    ...{ multipart: true, text: false, json: false, urlencoded: false, patchNode: false, patchKoa: true },
    formidable: {
      ...{ maxFiles: 1, maxFields: 20, maxFieldsSize: fieldBytes, maxFileSize, minFileSize: 0, allowEmptyFiles: true },
      enabledPlugins: [shortHeaders(noteHeaders)],
      fileWriteStreamHandler: open,
    },
  });
}

/** For further files: the form is refused. */
function nowhere(): Writable {
  return new Writable({ write: (_piece, _encoding, done) => done() });
}

/** The parser reads names from headers in more than linear time, and takes headers of any length. */
function shortHeaders(note: Parts['noteHeaders']): typeof multipart {
  return (form, options) => {
    multipart(form, options);
    // Clients need not name the type of a file, and the parser takes one without for a text.
    form.onPart = (part) => {
      if (part.originalFilename && !part.mimetype) part.mimetype = 'application/octet-stream';
      return form._handlePart(part);
    };
    const parser: unknown = Reflect.get(form, '_parser');
    let bytes = 0;
    if (!(parser instanceof EventEmitter)) return;
    parser.prependListener('data', (event: { name: string; start: number; end: number }) => {
      if (event.name === 'partBegin') bytes = 0;
      if (event.name !== 'headerField' && event.name !== 'headerValue') return;
      bytes += event.end - event.start;
      note(bytes);
      if (bytes > fieldBytes) event.end = event.start;
    });
  };
}

/** The reader puts them where Koa programs look for a form. */
function formOf(request: object, place: string): Pick<Upload, 'fields' | 'file'> {
  const { body, files } = { body: {}, files: {}, ...request };
  const fields = Object.entries(body).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((one) => [name, String(one)] as const),
  );
  const [name, file]: [string, unknown] = Object.entries(files)[0] ?? ['', null];
  if (typeof file !== 'object' || file === null) return { fields, file: null };
  const { size, originalFilename } = { size: 0, originalFilename: '', ...file };
  return { fields, file: { field: name, place, name: String(originalFilename ?? ''), size: Number(size) } };
}

/** Codes of formidable. */
const tooLarge: ReadonlySet<unknown> = new Set([1009, 1016]);
const tooManyFields: ReadonlySet<unknown> = new Set([1006, 1007]);
const manyFiles = 1015;
const endedEarly: ReadonlySet<unknown> = new Set([1002, 'ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE']);
const malformed: ReadonlySet<unknown> = new Set([1003, 1005, 1011, 1012, 1013, 1014, 1017]);

function uploadError(error: unknown, maxBytes: number): AppError {
  if (error instanceof AppError) return error;
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (tooLarge.has(code)) return fileTooLarge(maxBytes);
  if (tooManyFields.has(code))
    return new AppError('payload_too_large', { message: 'The fields of the form are too large' });
  if (code === manyFiles) return invalidField('file', 'send one file in a request');
  if (endedEarly.has(code)) return new AppError('bad_request', { message: 'The body ended too early', cause: error });
  if (malformed.has(code)) return invalidField('body', 'is not a form as multipart/form-data with a boundary');
  const problem = diskError(error);
  return problem instanceof AppError ? problem : new AppError('internal_error', { cause: error });
}

export function fileTooLarge(maxBytes: number): AppError {
  return new AppError('payload_too_large', { message: `The file is larger than ${maxBytes} bytes (media_max_bytes)` });
}
