/** Files of the site as callers with rights manage them (docs/files.md#manage-files). */
import { mediaObject, objectTag } from '../../content/live/mutation.js';
import { writeFile } from '../../content/mutations/write-file.js';
import { AppError, invalidField, Problems } from '../../errors/app-error.js';
import { encodePath, readMediaAddress } from '../../files/media-path.js';
import {
  checkFile,
  digestOf,
  fileView,
  listFiles,
  loadFile,
  putFile,
  removeFile,
  targetPath,
} from '../../files/media-store.js';
import { newUpload } from '../../files/own-folder.js';
import { jsonReply } from '../../http/answers/representation.js';
import { type Call, type Endpoint, objectSchema, type Reply, text, uploadType } from '../../http/interface/endpoint.js';
import type { GatewayDeps } from '../http/deps.js';
import { answerOnce, type SealedWork } from '../http/idempotency.js';
import { idempotencyParameter, pathParameter, query } from '../http/parameter-docs.js';
import { isYes } from '../http/query.js';
import { cursorMeta, cursorMetaSchema } from '../http/success.js';

const count = { type: 'integer', minimum: 0 } as const;

const file = objectSchema<Readonly<Record<string, unknown>>>(
  {
    path: { ...text, examples: ['products/lamp.jpg'] },
    url: { ...text, format: 'uri-reference', description: 'Address from the root of the server' },
    size: { ...count, description: 'Bytes' },
    type: { ...text, examples: ['image/jpeg'] },
    modified: { ...text, format: 'date-time' },
  },
  {
    width: { ...count, description: 'Pixels; absent for files that are no pictures, and without sharp' },
    height: count,
  },
);

const pathOfFile = pathParameter('path', 'Path of the file, such as products/lamp.jpg');

const caching = { kind: 'content', tags: [objectTag(mediaObject)] } as const;
const mostListed = 100;
const usuallyListed = 20;

export function mediaEndpoints(deps: GatewayDeps): Endpoint[] {
  const checkSwitch = () => void folderOf(deps);
  // Files change without a change of the database.
  const row = { tags: ['Media'], checkSwitch, isNeverKept: true } as const;
  const one = objectSchema<Readonly<Record<string, unknown>>>({ data: file, meta: { type: 'object' } });
  return [
    {
      ...row,
      name: 'media.create',
      method: 'POST',
      path: '/media',
      access: { kind: 'scope', scope: 'media.create' },
      summary: 'Upload a file',
      parameters: [idempotencyParameter],
      request: {
        types: [uploadType],
        required: true,
        upload: {
          place: () => newUpload(folderOf(deps)),
          maxBytes: () => deps.settings().media_max_bytes,
        },
        schema: objectSchema<Readonly<Record<string, unknown>>>(
          { file: { ...text, contentMediaType: 'application/octet-stream' } },
          {
            path: {
              ...text,
              description: 'Its path; with a slash at the end the folder. Absent: the name of the file',
            },
            overwrite: { ...text, enum: ['1', '0'], description: '1: replaces a file of this path' },
          },
        ),
      },
      response: { status: 201, description: 'The file is there', schema: one },
      handler: (call) => upload(deps, call),
    },
    {
      ...row,
      name: 'media.list',
      method: 'GET',
      path: '/media',
      access: { kind: 'scope', scope: 'media.read' },
      summary: 'List files',
      parameters: [
        query('path', 'Folder to list, such as products'),
        query('limit', 'Files in the answer', {
          schema: { type: 'integer', minimum: 1, maximum: mostListed, default: usuallyListed },
        }),
        query('cursor', 'Continues after an earlier answer: meta.next_cursor'),
      ],
      response: {
        status: 200,
        description: 'The files of the folder and of the folders in it, in the order of their paths',
        schema: objectSchema<Readonly<Record<string, unknown>>>({
          data: { type: 'array', items: file },
          meta: cursorMetaSchema,
        }),
      },
      handler: (call) => list(deps, call),
    },
    {
      ...row,
      name: 'media.get',
      method: 'GET',
      path: '/media/*path',
      access: { kind: 'scope', scope: 'media.read' },
      summary: 'Show what a file is',
      parameters: [pathOfFile],
      response: { status: 200, description: 'The file; its content is at url', schema: one },
      handler: async (call) => {
        const found = await loadFile(folderOf(deps), pathOf(call));
        return jsonReply({ data: await fileView(found), meta: {} }, caching);
      },
    },
    {
      ...row,
      name: 'media.delete',
      method: 'DELETE',
      path: '/media/*path',
      access: { kind: 'scope', scope: 'media.delete' },
      summary: 'Remove a file permanently',
      parameters: [pathOfFile],
      response: {
        status: 200,
        description: 'The file is removed',
        schema: objectSchema({
          data: objectSchema<Readonly<Record<string, unknown>>>({
            path: text,
            deleted: { type: 'boolean', const: true },
          }),
          meta: { type: 'object' },
        }),
      },
      handler: async (call) => {
        const [folder, path] = [folderOf(deps), pathOf(call)];
        await loadFile(folder, path);
        await writeFile({ writer: deps.writer, folder, path, change: () => removeFile(folder, path) });
        return jsonReply({ data: { path, deleted: true }, meta: {} }, { kind: 'never' });
      },
    },
  ];
}

/** Throws not_found where the CMS keeps the files. */
function folderOf({ files }: Pick<GatewayDeps, 'files'>): string {
  if (files !== null) return files.folder;
  throw new AppError('not_found', {
    message: 'The files of this site belong to its CMS; hcd keeps those of its own stores',
  });
}

/** Generated clients encode the slashes of a path. */
function pathOf(call: Call): string {
  const path = readMediaAddress(call.path.slice(`${call.base}/media/`.length).replaceAll(/%2f/gi, '/'));
  if (path === null) throw new AppError('not_found', { message: 'There is no such file' });
  return path;
}

async function upload(deps: GatewayDeps, call: Call): Promise<Reply> {
  if (call.body?.kind !== 'upload') throw invalidField('file', 'is missing');
  const { path: given, overwrite, file: sent } = readForm(call.body);
  const { place } = sent;
  const folder = folderOf(deps);
  const path = targetPath(given, sent.name);
  const work: SealedWork = async (seal) => {
    await checkFile(place, { path, limits: deps.settings() });
    return writeFile({
      ...{ writer: deps.writer, folder, path, seal },
      async change() {
        const put = await putFile({ folder, place, path, overwrite });
        const reply = jsonReply({ data: await fileView(put), meta: {} }, { kind: 'never' });
        return { ...reply, status: 201, headers: { Location: `${deps.base()}/media/${encodePath(path)}` } };
      },
    });
  };
  const body = async () => Buffer.from(JSON.stringify([path, overwrite, await digestOf(place)]));
  return answerOnce(deps, call, { rights: '', work, body });
}

type Form = Extract<NonNullable<Call['body']>, { readonly kind: 'upload' }>;

function readForm({ fields, file: sent }: Form) {
  const problems = new Problems();
  const given = new Map<string, string>();
  for (const [name, value] of fields) {
    if (name !== 'path' && name !== 'overwrite') problems.add(name, 'is unknown; send file, path and overwrite');
    else if (given.has(name)) problems.add(name, 'is given more than once');
    given.set(name, value);
  }
  if (sent === null) problems.add('file', 'is missing: send the file as the field file, with a file name');
  else if (sent.field !== 'file') problems.add(sent.field, 'is a file; send the file as the field file');
  const overwrite = given.get('overwrite') ?? '0';
  if (!flags.has(overwrite)) problems.add('overwrite', 'must be 1 or 0');
  problems.throwIfAny();
  if (sent === null) throw invalidField('file', 'is missing');
  return { path: given.get('path') ?? '', overwrite: isYes(overwrite), file: sent };
}

const flags: ReadonlySet<string> = new Set(['1', '0', 'true', 'false']);

async function list(deps: GatewayDeps, { query }: Call): Promise<Reply> {
  const asked = new Map(query);
  const problems = new Problems();
  const limitText = asked.get('limit') ?? String(usuallyListed);
  const limit = /^[1-9]\d{0,2}$/.test(limitText) ? Number(limitText) : 0;
  if (limit < 1 || limit > mostListed) problems.add('limit', `must be a whole number from 1 to ${mostListed}`);
  const below = (asked.get('path') ?? '').replace(/\/$/, '');
  const cursor = asked.get('cursor');
  const after = cursor === undefined ? null : Buffer.from(cursor, 'base64url').toString();
  if (after !== null && (Buffer.from(after).toString('base64url') !== cursor || !isBelow(after, below)))
    problems.add('cursor', 'must be meta.next_cursor of an earlier answer for the same path');
  problems.throwIfAny();
  const { files, next } = await listFiles({ folder: folderOf(deps), below, after, limit, offset: 0 });
  const meta = cursorMeta({ count: files.length, limit, next: next && Buffer.from(next).toString('base64url') });
  return jsonReply(
    { data: await Promise.all(files.map((found) => fileView(found, { withPixels: false }))), meta },
    caching,
  );
}

function isBelow(path: string, folder: string): boolean {
  return folder === '' || path.startsWith(`${folder}/`);
}
