/** What the commands that write resources share: the given record, the change, and its result. */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { type Editing, openEditing, updateResourceByHand } from '../../src/content/administration/edit-content.js';
import { AppError } from '../../src/errors/app-error.js';
import type { Deps } from '../deps.js';
import type { JsonRecord, RecordResult } from '../result.js';
import { openReady } from '../store/open-ready.js';
import { usageError } from '../usage-error.js';
import { readObject, type WriteFlags } from './field-flags.js';
import { nameMissing } from './name-missing.js';

export interface Target {
  readonly id: number;
  readonly events: boolean;
}

/** What people want to see of a resource that they have just written; JSON has every field. */
const shown = ['id', 'pagetitle', 'context_key', 'parent', 'alias', 'uri', 'published', 'deleted'];

export async function changeResource(
  target: Target,
  deps: Deps,
  body: Readonly<Record<string, unknown>>,
): Promise<RecordResult> {
  const editing = await openToEdit(deps, target);
  const written = await updateResourceByHand(editing, { id: target.id, body }).catch((error: unknown) => {
    throw nameMissing(error, target.id);
  });
  return writtenRecord(written);
}

export async function openToEdit(deps: Deps, { events }: { readonly events: boolean }): Promise<Editing> {
  return openEditing(await openReady(deps), { env: deps.env, clock: deps.clock, log: deps.log, events });
}

export function writtenRecord(written: JsonRecord): RecordResult {
  return { kind: 'record', record: written, fields: shown };
}

/** The record of --data, or of --file. */
export async function wholeRecord({ data, file }: WriteFlags, deps: Deps): Promise<Readonly<Record<string, unknown>>> {
  if (data !== undefined && file !== undefined) throw usageError({ '--file': 'cannot be combined with --data' });
  if (file === undefined) return data === undefined ? {} : (readObject(data) ?? {});
  const whole = readObject(await readText(file, deps));
  if (whole !== undefined) return whole;
  throw new AppError('refused', { message: `${sourceName(file)} does not hold a JSON object of fields` });
}

/** Text in another encoding is refused: decoded as UTF-8 it would lose letters. */
async function readText(file: string, { io, cwd }: Deps): Promise<string> {
  const bytes = file === '-' ? await collect(io.stdin.stream) : await readBytes(resolve(cwd, file));
  try {
    // Without the mark that some editors put before the text.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new AppError('refused', { message: `${sourceName(file)} is not UTF-8 text. Save it as UTF-8`, cause: error });
  }
}

function sourceName(file: string): string {
  return file === '-' ? 'The standard input' : file;
}

async function collect(stream: Readable): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

async function readBytes(path: string): Promise<Uint8Array> {
  try {
    return await readFile(path);
  } catch (error) {
    throw new AppError('refused', { message: `${path} cannot be read`, cause: error });
  }
}
