/** `/files`: the files of the site, as they are and as variants of pictures (docs/files.md). */
import type { SendfileHeader } from '../../config/definitions.js';
import type { Settings } from '../../config/settings.js';
import { keyTag, mediaObject, objectTag } from '../../content/live/mutation.js';
import { AppError } from '../../errors/app-error.js';
import {
  FileChanged,
  findMediaFile,
  type MediaFile,
  openFile,
  readPieces,
  readWhole,
} from '../../files/media-folder.js';
import { filesBase, readMediaAddress } from '../../files/media-path.js';
import { isPicture } from '../../files/pictures.js';
import { acceptedFormat, askedFormats, fits, readVariant, variantNames } from '../../files/variant-question.js';
import type { Variants } from '../../files/variants.js';
import { allowsChange, isText, tagAtClient } from '../../http/answers/representation.js';
import { type ApiModule, type ApiPolicy, type Limit, mountAt, type RenderError } from '../../http/interface/api.js';
import { type Call, type Endpoint, type ParameterDoc, type Reply, text } from '../../http/interface/endpoint.js';
import { single } from '../../http/interface/query-pairs.js';
import { clientBlock } from '../../http/interface/request-headers.js';
import { checkEnabled, checkRoute, limitRequests } from '../../http/stages/checks.js';
import { derived } from '../../values/kept-values.js';
import { pathParameter, query } from '../http/parameter-docs.js';
import { gatewayCors } from './api.js';

interface FilesDeps {
  readonly folder: string;
  readonly variants: Variants;
  readonly sendfileHeader: SendfileHeader;
  readonly settings: () => Settings;
  readonly countAddress: (address: string) => ReturnType<Limit>;
  readonly unmounted: RenderError;
}

/** A change of a file that another program makes shows after as many. */
const keptSeconds = 2;
/** Larger files are read from the disk each time, or sent by the web server in front. */
const largestKept = 1_048_576;

export function filesApi(deps: FilesDeps): ApiModule {
  const limit: Limit = ({ caller }) => deps.countAddress(clientBlock(caller.clientIp));
  return {
    name: 'files',
    endpoints: [filesEndpoint(deps)],
    checks: [checkRoute(), checkEnabled(), limitRequests(limit)],
    limit,
    parameterProblem: 'bad_request',
    policy: derived(deps.settings, policyOf),
    renderError: deps.unmounted,
  };
}

function policyOf(values: Settings): ApiPolicy {
  return {
    enabled: values.gateway_enabled,
    mounts: [mountAt(filesBase)],
    maxPathBytes: values.gateway_max_uri_bytes,
    answersOptions: true,
    caching: values.gateway_cache_enabled ? { kind: 'public', seconds: keptSeconds } : { kind: 'revalidate' },
    cors: gatewayCors(values),
  };
}

const size = { type: 'integer', minimum: 1 } as const;

const parameters: readonly ParameterDoc[] = [
  query('w', 'Width of a picture, one of media_sizes.', { schema: size }),
  query('h', 'Height of a picture, one of media_sizes.', { schema: size }),
  query('fit', 'cover: cut to the size; contain: with a border; inside: within it.', {
    schema: { ...text, enum: fits },
  }),
  query('format', 'auto: by the Accept header.', { schema: { ...text, enum: askedFormats } }),
  query('q', 'Quality.', { schema: { ...size, maximum: 100 } }),
  pathParameter('path', 'Path of the file.'),
  query('v', 'Version of the file: the answer may be kept forever.'),
];

function filesEndpoint(deps: FilesDeps): Endpoint {
  return {
    name: 'files.get',
    method: 'GET',
    path: '/*path',
    access: { kind: 'public' },
    summary: 'A file of the site',
    tags: ['Files'],
    parameters,
    response: { status: 200, description: 'The file.', type: 'application/octet-stream' },
    produces: [],
    selects(call) {
      const unkept = deps.sendfileHeader === 'off' ? conditions : [...conditions, ...conditionsOf304];
      if (unkept.some((name) => call.header(name) !== undefined)) return null;
      return isAuto(call.query) ? acceptedFormat(call.header('accept'), '') : '';
    },
    handler: async (call) => {
      const path = readMediaAddress(call.path.slice(filesBase.length + 1));
      for (let attempt = 1; ; attempt += 1) {
        const file = path === null ? null : await findMediaFile(deps.folder, path);
        if (file === null) throw new AppError('not_found', { message: 'There is no such file' });
        try {
          return await sendFile(call, { ...deps, file, shown: await shownFile(deps, call, file) });
        } catch (cause) {
          if (!(cause instanceof FileChanged)) throw cause;
          if (attempt === mostAttempts)
            throw new AppError('unavailable', { message: 'The file keeps changing', cause });
        }
      }
    },
  };
}

/** Kept answers know nothing of them. */
const conditions = ['range', 'if-match', 'if-unmodified-since'];

/** A 304 must not name a file to the web server in front, as the kept answer does. */
const conditionsOf304 = ['if-none-match', 'if-modified-since'];

/** While a file is replaced. */
const mostAttempts = 5;

function isAuto(query: Call['query']): boolean {
  return query.some(([name, value]) => name === 'format' && value === 'auto');
}

/** Drawings have every size. */
async function shownFile({ settings, variants }: FilesDeps, call: Call, file: MediaFile): Promise<MediaFile> {
  const limits = settings();
  const [type = ''] = file.type.split(';');
  const parameter = (name: string) => single(call.query, name);
  const question = readVariant({ parameter, accept: call.header('accept'), type, sizes: limits.media_sizes });
  if (question === null || type === 'image/svg+xml') return file;
  if (!isPicture(type)) {
    const message = `${variantNames.join(', ')} are for pictures, and this file is ${type}`;
    throw new AppError('bad_request', { message });
  }
  return variants.find({ file, question, limits });
}

interface Sent extends Pick<FilesDeps, 'sendfileHeader'> {
  readonly file: MediaFile;
  readonly shown: MediaFile;
}

async function sendFile(call: Call, { file: original, shown: file, sendfileHeader }: Sent): Promise<Reply> {
  const { size, type } = file;
  const tag = `"${file.version}"`;
  const header = (name: string) => call.header(name);
  const always = {
    'Accept-Ranges': 'bytes',
    'Last-Modified': new Date(file.modified).toUTCString(),
    ...(mayRun.test(type) ? { 'Content-Security-Policy': sandbox } : {}),
  };
  checkPreconditions(call, file);
  // In the order of RFC 9110, 13.2.2; only GET has ranges.
  const isSent = call.method === 'GET' && tagAtClient({ etag: tag, headers: always }, header) === null;
  const range = isSent ? readRange(call, file) : null;
  if (range === 'none of it') throw new AppError('range_not_satisfiable', { details: { length: size } });
  const part = range === null ? {} : { 'Content-Range': `bytes ${range.start}-${range.end - 1}/${size}` };
  const answer = {
    status: range === null ? 200 : 206,
    headers: { ...always, ...part },
    caching: cachingOf(call, original),
  };
  if (range === null && size <= largestKept) {
    return { ...answer, body: { kind: 'bytes', type, bytes: await readWhole(file), tag } };
  }
  const handed = isSent ? handedTo(call, { sendfileHeader, file, range }) : null;
  if (handed !== null) {
    // nginx names it itself, but not with a range.
    const { 'Accept-Ranges': _named, ...whole } = always;
    const headers = { ...(range === null ? whole : always), ...handed };
    return { ...answer, status: 200, headers, body: { kind: 'bytes', type, bytes: '', tag } };
  }
  const { start, end }: ByteRange = range ?? { start: 0, end: size };
  const handle = isSent ? await openFile(file) : null;
  const open = () => readPieces(file, { handle, start, end });
  return { ...answer, body: { kind: 'stream', type, open, known: { length: end - start, tag } } };
}

interface Handed extends Pick<FilesDeps, 'sendfileHeader'> {
  readonly file: MediaFile;
  readonly range: ByteRange | null;
}

/** Makes the web server in front send the file; null for conditions that it would decide in another way. */
function handedTo(call: Call, { sendfileHeader: header, file, range }: Handed): Reply['headers'] | null {
  if (header === 'off' || file.bytes !== undefined || file.size <= largestKept) return null;
  // Compressed here.
  if (isText(file.type, {})) return null;
  if (call.header('if-match') !== undefined || (range === null && call.header('range') !== undefined)) return null;
  const place = header === 'X-Sendfile' ? file.place : `${internalBase}/${file.path}`;
  return { [header]: place.split('/').map(encodeURIComponent).join('/') };
}

/** A place that the web server opens to no visitor. */
const internalBase = '/.hcd-files';

function cachingOf({ query }: Call, { version, path }: MediaFile): Reply['caching'] {
  const isImmutable = query.some(([name, value]) => name === 'v' && value === version);
  const tags = [objectTag(mediaObject), keyTag(mediaObject, path)];
  return { kind: 'file', isImmutable, tags, ...(isAuto(query) ? { varies: 'Accept' } : {}) };
}

/** Throws precondition_failed. */
function checkPreconditions(call: Call, { version, modified }: MediaFile): void {
  const tags = call.header('if-match');
  const isOther =
    tags === undefined
      ? Math.floor(modified / 1000) * 1000 > Date.parse(call.header('if-unmodified-since') ?? '')
      : !allowsChange(tags, `"${version}"`);
  if (isOther) throw new AppError('precondition_failed');
}

/** Documents in which a browser runs scripts. */
const mayRun = /^[^;]*\b(?:html|xml)\b/;
const sandbox = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

interface ByteRange {
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
}

const form = /^bytes=(\d{0,15})-(\d{0,15})$/i;

/** Null: the whole. */
function readRange(call: Pick<Call, 'header'>, file: MediaFile): ByteRange | 'none of it' | null {
  const [, first, last] = form.exec(call.header('range')?.replaceAll(' ', '') ?? '') ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return null;
  if (!isCurrent(call.header('if-range'), file)) return null;
  const { size } = file;
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size : Math.min(size, Number(last) + 1);
  if (first !== '' && last !== '' && Number(last) < start) return null;
  return start >= size || start === end ? 'none of it' : { start, end };
}

/** A client that has a part of another version gets the whole of this one. */
function isCurrent(condition: string | undefined, { version, modified }: MediaFile): boolean {
  if (condition === undefined || condition === `"${version}"`) return true;
  return Date.parse(condition) === Math.floor(modified / 1000) * 1000;
}
