/** `/files`: the files of the site, as they are and as variants of pictures (docs/files.md). */
import type { Settings } from '../../config/setting-definitions.js';
import { keyTag, objectTag } from '../../content/live/content-tags.js';
import { AppError } from '../../errors/app-error.js';
import { findMediaFile, type MediaFile, readPieces } from '../../files/media-folder.js';
import { filesBase, readMediaAddress } from '../../files/media-path.js';
import { isPicture } from '../../files/pictures.js';
import { acceptedFormat, askedFormats, fits, readVariant, variantNames } from '../../files/variant-question.js';
import type { Variants } from '../../files/variants.js';
import { type ApiModule, type ApiPolicy, derived, type Limit, type RenderError } from '../../http/interface/api.js';
import { clientBlock } from '../../http/interface/client-ip.js';
import type { Call, Endpoint, ParameterDoc, Reply } from '../../http/interface/endpoint.js';
import { checkEnabled, checkRoute, limitRequests } from '../../http/stages/checks.js';
import { type ByteRange, readRange } from '../http/byte-range.js';
import { gatewayCors } from './api.js';

type FilesSettings = Settings;

interface FilesDeps {
  readonly folder: string;
  readonly variants: Variants;
  readonly settings: () => FilesSettings;
  readonly countAddress: (address: string) => ReturnType<Limit>;
  readonly unmounted: RenderError;
}

/** A change of a file that another program makes shows after as many. */
const keptSeconds = 2;
/** Larger files are read from the disk each time. */
const largestKept = 262_144;

export function filesApi(deps: FilesDeps): ApiModule {
  const limit: Limit = ({ caller }) => deps.countAddress(clientBlock(caller.clientIp));
  return {
    name: 'files',
    endpoints: [filesEndpoint(deps)],
    checks: [checkRoute(), checkEnabled(), limitRequests(limit)],
    limit,
    headers: {},
    vary: '',
    selectingHeaders: [],
    parameterProblem: 'bad_request',
    policy: derived(deps.settings, policyOf),
    renderError: deps.unmounted,
  };
}

function policyOf(values: FilesSettings): ApiPolicy {
  return {
    enabled: values.gateway_enabled,
    mounts: [{ base: filesBase, linkBase: filesBase, routeParameters: [], prefixes: [''] }],
    maxPathBytes: values.gateway_max_uri_bytes,
    answersOptions: true,
    caching: values.gateway_cache_enabled ? { kind: 'public', seconds: keptSeconds } : { kind: 'revalidate' },
    cors: gatewayCors(values),
  };
}

const inQuery = (name: string, description: string, schema: ParameterDoc['schema']): ParameterDoc => ({
  ...{ name, in: 'query', description, schema },
});
const size = { type: 'integer', minimum: 1 } as const;

const parameters: readonly ParameterDoc[] = [
  inQuery('w', 'Width of a picture, one of media_sizes.', size),
  inQuery('h', 'Height of a picture, one of media_sizes.', size),
  inQuery('fit', 'cover: cut to the size; contain: with a border; inside: within it.', { type: 'string', enum: fits }),
  inQuery('format', 'auto: by the Accept header.', { type: 'string', enum: askedFormats }),
  inQuery('q', 'Quality.', { ...size, maximum: 100 }),
  { name: 'path', in: 'path', description: 'Path of the file.', required: true, schema: { type: 'string' } },
  {
    name: 'v',
    in: 'query',
    description: 'Version of the file: the answer may be kept forever.',
    schema: { type: 'string' },
  },
];

function filesEndpoint(deps: FilesDeps): Endpoint {
  return {
    name: 'files.get',
    method: 'GET',
    path: '/*path',
    access: { kind: 'public' },
    object: null,
    summary: 'A file of the site',
    tags: ['Files'],
    parameters,
    response: { status: 200, description: 'The file.', type: 'application/octet-stream' },
    produces: [],
    selects(call) {
      if (call.header('range') !== undefined) return null;
      return isAuto(call.query) ? acceptedFormat(call.header('accept'), '') : '';
    },
    handler: async (call) => {
      const path = readMediaAddress(call.path.slice(filesBase.length + 1));
      const file = path === null ? null : await findMediaFile(deps.folder, path);
      if (file === null) throw new AppError('not_found', { message: 'There is no such file' });
      return sendFile(call, { file, shown: await shownFile(deps, call, file) });
    },
  };
}

function isAuto(query: Call['query']): boolean {
  return query.some(([name, value]) => name === 'format' && value === 'auto');
}

/** Drawings have every size. */
async function shownFile({ settings, variants }: FilesDeps, call: Call, file: MediaFile): Promise<MediaFile> {
  const limits = settings();
  const [type = ''] = file.type.split(';');
  const { query } = call;
  const question = readVariant({ query, accept: call.header('accept'), type, sizes: limits.media_sizes });
  if (question === null || type === 'image/svg+xml') return file;
  if (!isPicture(type)) {
    const message = `${variantNames.join(', ')} are for pictures, and this file is ${type}`;
    throw new AppError('bad_request', { message });
  }
  return variants.find({ file, question, limits });
}

interface Sent {
  readonly file: MediaFile;
  /** The file, or a variant of it. */
  readonly shown: MediaFile;
}

async function sendFile(call: Call, { file: original, shown: file }: Sent): Promise<Reply> {
  const { size, type } = file;
  const tag = `"${file.version}"`;
  const range = readRange(call, { size, tag, modified: file.modified });
  if (range === 'none of it') throw new AppError('range_not_satisfiable', { details: { length: size } });
  const headers = {
    'Accept-Ranges': 'bytes',
    'Last-Modified': new Date(file.modified).toUTCString(),
    ...(range === null ? {} : { 'Content-Range': `bytes ${range.start}-${range.end - 1}/${size}` }),
    ...(mayRun.test(type) ? { 'Content-Security-Policy': sandbox } : {}),
  };
  const isImmutable = call.query.some(([name, value]) => name === 'v' && value === original.version);
  const tags = [objectTag('files'), keyTag('files', original.path)];
  const varies: { varies?: 'Accept' } = isAuto(call.query) ? { varies: 'Accept' } : {};
  const caching = { kind: 'file', isImmutable, tags, ...varies } as const;
  const status = range === null ? 200 : 206;
  if (range === null && size <= largestKept) {
    return { status, headers, body: { kind: 'bytes', type, bytes: await wholeOf(file), tag }, caching };
  }
  const { start, end }: ByteRange = range ?? { start: 0, end: size };
  const known = { length: end - start, tag };
  return {
    status,
    headers,
    body: { kind: 'stream', type, open: () => readPieces(file, { start, end }), known },
    caching,
  };
}

/** Documents in which a browser runs scripts. */
const mayRun = /^(?:text\/html|image\/svg\+xml|(?:text|application)\/(?:[\w.-]+\+)?xml)/;
const sandbox = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

async function wholeOf(file: MediaFile): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of readPieces(file, { start: 0, end: file.size })) pieces.push(piece);
  return pieces.length === 1 && pieces[0] !== undefined ? pieces[0] : Buffer.concat(pieces);
}
