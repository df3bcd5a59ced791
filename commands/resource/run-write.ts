/** Changes resources for `hcd resource create|update|publish|unpublish|delete|restore`. */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { readContent } from '../../src/content/administration/browse-content.js';
import {
  createResourceByHand,
  type Editing,
  openEditing,
  removeResourceByHand,
  updateResourceByHand,
} from '../../src/content/administration/edit-content.js';
import { AppError } from '../../src/errors/app-error.js';
import { confirmChange } from '../confirm.js';
import { showIntent } from '../content/query-flags.js';
import type { Deps } from '../deps.js';
import type { DoneResult, JsonRecord, RecordResult } from '../result.js';
import { openReady } from '../store/open-ready.js';
import { usageError } from '../usage-error.js';
import { bodyOf, readObject, type WriteFlags } from './field-flags.js';
import { nameMissing } from './run-show.js';

interface Target {
  readonly id: number;
  readonly events: boolean;
}

/** What people want to see of a resource that they have just written; JSON has every field. */
const shown = ['id', 'pagetitle', 'context_key', 'parent', 'alias', 'uri', 'published', 'deleted'];

export async function runCreate(flags: WriteFlags & { readonly events: boolean }, deps: Deps): Promise<RecordResult> {
  const given = bodyOf(flags, await wholeRecord(flags, deps));
  // Before the database is opened: what is missing on the command line is wrong usage.
  const body = given['pagetitle'] === undefined ? { ...given, pagetitle: await askTitle(deps) } : given;
  const editing = await open(deps, flags);
  return record(await createResourceByHand(editing, body));
}

function askTitle({ prompt }: Deps): Promise<string> {
  const check = (text: string): string | null => (text.trim() === '' ? 'A resource needs a title' : null);
  return prompt.text({ message: 'Title of the resource', flag: '--pagetitle', check });
}

export async function runUpdate(flags: WriteFlags & Target, deps: Deps): Promise<RecordResult> {
  const body = bodyOf(flags, await wholeRecord(flags, deps));
  if (Object.keys(body).length === 0) {
    throw usageError({ '--data': 'is required when no field is given: there is nothing to change' });
  }
  return change(flags, deps, body);
}

export async function runPublish(target: Target, deps: Deps): Promise<RecordResult> {
  return change(target, deps, { published: true, pub_date: null });
}

export async function runUnpublish(target: Target, deps: Deps): Promise<RecordResult> {
  return change(target, deps, { published: false, pub_date: null, unpub_date: null });
}

export async function runRestore(target: Target, deps: Deps): Promise<RecordResult> {
  return change(target, deps, { deleted: false });
}

export async function runDelete(target: Target & { readonly force: boolean }, deps: Deps): Promise<DoneResult> {
  const { id, force } = target;
  const editing = await open(deps, target);
  if (deps.prompt.isInteractive) await confirmDelete(editing, target, deps);
  const removed = await removeResourceByHand(editing, { id, force }).catch(async (error: unknown) => {
    throw (await deletedAlready(editing, error, target)) ?? nameMissing(error, id);
  });
  const message = removed.permanent
    ? `Removed resource ${id} for good.`
    : `Marked resource ${id} and everything below it as deleted. Undo: hcd resource restore ${id}`;
  return { kind: 'done', message, data: { id, deleted: true, permanent: removed.permanent } };
}

/** A second deletion finds nothing to do, which is something else than a resource that was never there. */
async function deletedAlready(editing: Editing, error: unknown, { id, force }: Target & { readonly force: boolean }) {
  if (force || !(error instanceof AppError) || error.code !== 'not_found') return undefined;
  const asked = { object: 'resources', key: id, intent: showIntent({ fields: ['id'] }) };
  const isThere = await readContent(editing, asked).then(
    () => true,
    () => false,
  );
  const message = `Resource ${id} is deleted already: --force removes it for good`;
  return isThere ? new AppError('not_found', { message, cause: error }) : undefined;
}

async function change(target: Target, deps: Deps, body: Readonly<Record<string, unknown>>): Promise<RecordResult> {
  const editing = await open(deps, target);
  const written = await updateResourceByHand(editing, { id: target.id, body }).catch((error: unknown) => {
    throw nameMissing(error, target.id);
  });
  return record(written);
}

async function open(deps: Deps, { events }: { readonly events: boolean }): Promise<Editing> {
  return openEditing(await openReady(deps), { env: deps.env, clock: deps.clock, log: deps.log, events });
}

function record(written: JsonRecord): RecordResult {
  return { kind: 'record', record: written, fields: shown };
}

/** The record of --data, or of --file. */
async function wholeRecord({ data, file }: WriteFlags, deps: Deps): Promise<Readonly<Record<string, unknown>>> {
  if (data !== undefined && file !== undefined) throw usageError({ '--file': 'cannot be given together with --data' });
  if (file === undefined) return data === undefined ? {} : (readObject(data) ?? {});
  const whole = readObject(await readText(file, deps));
  if (whole !== undefined) return whole;
  throw new AppError('refused', { message: `${sourceName(file)} does not hold a JSON object of fields` });
}

/** Text in another encoding is refused: read as UTF-8 it would be stored with its letters lost. */
async function readText(file: string, { io, cwd }: Deps): Promise<string> {
  const bytes = file === '-' ? await collect(io.stdin.stream) : await readBytes(resolve(cwd, file));
  try {
    // Without the mark that some editors put before the text.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new AppError('refused', { message: `${sourceName(file)} is not UTF-8 text: save it as UTF-8`, cause: error });
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

async function confirmDelete(editing: Editing, { id, force }: Target & { readonly force: boolean }, deps: Deps) {
  const intent = showIntent({ fields: ['pagetitle', 'uri'] });
  const found = await readContent(editing, { object: 'resources', key: id, intent }).catch((error: unknown) => {
    throw nameMissing(error, id);
  });
  const name = `resource ${id} "${String(found['pagetitle'])}" (${String(found['uri'] ?? '')})`;
  const message = force
    ? `Remove ${name} for good? What lies below it stays without a parent.`
    : `Delete ${name} and everything below it?`;
  await confirmChange(deps, message);
}
