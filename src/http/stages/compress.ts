/** Which answers are compressed, and how, on the thread pool of Node (docs/reference/http.md#compression). */
import { pipeline, Readable, type Transform } from 'node:stream';
import * as zlib from 'node:zlib';
import { perObject } from '../../values/kept-values.js';
import { matchingTag } from '../answers/representation.js';
import type { Piece, Representation } from '../interface/endpoint.js';
import type { RequestState } from '../interface/request-state.js';

export interface Compress {
  whole(state: RequestState, answer: Representation, effort: Effort): Representation | Promise<Representation>;
  pieces(state: RequestState, answer: Representation, source: AsyncIterable<Piece>): Pieced;
}

export interface Pieced {
  readonly representation: Representation;
  readonly source: AsyncIterable<Piece>;
}

export function makeCompress(isOn: boolean): Compress {
  const compressor = new Compressor();
  const codingFor = (state: RequestState, answer: Representation): Coding | null => {
    const accepted = state.header('accept-encoding');
    return isOn && accepted !== undefined && mayCompress(state, answer) ? chooseCoding(accepted) : null;
  };
  return {
    whole(state, answer, effort) {
      const coding = codingFor(state, answer);
      if (coding === null || isKnown(state, answer)) return answer;
      return compressor.compress(answer, { coding, effort });
    },
    pieces(state, representation, source) {
      const coding = codingFor(state, representation);
      if (coding === null) return { representation, source };
      const coded = { ...withCoding(representation, coding), length: null };
      return { representation: coded, source: compressPieces(source, coding) };
    },
  };
}

/** BREACH: compressed lengths reveal text, and answers to sessions hold the CSRF token. */
function mayCompress(state: RequestState, answer: Representation): boolean {
  if (!state.isRead || answer.status !== 200 || state.identity.kind === 'session') return false;
  if (answer.isCompressible !== true) return false;
  return !/\bno-transform\b/i.test(state.header('cache-control') ?? '');
}

function isKnown(state: RequestState, { etag }: Representation): boolean {
  const header = state.header('if-none-match');
  // `*` names no form: the 304 has the tag of the one that would be sent.
  return etag !== null && header !== undefined && header.trim() !== '*' && matchingTag(header, etag) !== null;
}

/** The same for every answer to the same caller: a strong tag names the same bytes, whether they were kept or not. */
export type Effort = 'fast' | 'thorough';

type Options = zlib.ZlibOptions & zlib.BrotliOptions;

interface Coding {
  readonly name: string;
  readonly options: (effort: Effort) => Options;
  readonly once: (body: string | Buffer, options: Options, done: (error: Error | null, made: Buffer) => void) => void;
  readonly stream: (options: Options) => Transform;
}

const gzip: Coding = {
  name: 'gzip',
  options: (effort) => ({ level: { fast: 1, thorough: 6 }[effort] }),
  ...{ once: zlib.gzip, stream: zlib.createGzip },
};

const brotli: Coding = {
  name: 'br',
  options: (effort) => ({ params: { [zlib.constants.BROTLI_PARAM_QUALITY]: { fast: 1, thorough: 5 }[effort] } }),
  ...{ once: zlib.brotliCompress, stream: zlib.createBrotliCompress },
};

/** From Node 22.15 on; the types are those of the oldest supported Node. */
function zstd(): readonly Coding[] {
  const once: unknown = Reflect.get(zlib, 'zstdCompress');
  const stream: unknown = Reflect.get(zlib, 'createZstdCompress');
  if (typeof once !== 'function' || typeof stream !== 'function') return [];
  const level = Number(Reflect.get(zlib.constants, 'ZSTD_c_compressionLevel'));
  return [
    {
      name: 'zstd',
      options: (effort) => ({ params: { [level]: { fast: 1, thorough: 9 }[effort] } }),
      once: (body, options, done) => once(Buffer.from(body), options, done),
      stream: (options) => stream(options),
    },
  ];
}

const codings: readonly Coding[] = [brotli, ...zstd(), gzip];

const weightForm = /^q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/;

export function chooseCoding(header: string): Coding | null {
  const weights = new Map<string, number>();
  for (const part of header.toLowerCase().split(',')) {
    const [name = '', weight] = part.split(';', 2).map((text) => text.trim());
    // A weight that cannot be read says nothing about the coding.
    const quality = weight === undefined ? 1 : Number(weightForm.exec(weight)?.[1] ?? 0);
    if (name !== '') weights.set(name === 'x-gzip' ? 'gzip' : name, quality);
  }
  // Not compressed is acceptable without being named, but then any coding is better.
  let best: Coding | null = null;
  let most = weights.get('identity') ?? 0;
  for (const coding of codings) {
    const quality = weights.get(coding.name) ?? weights.get('*') ?? 0;
    if (quality > most || (best === null && quality === most && quality > 0)) {
      best = coding;
      most = quality;
    }
  }
  return best;
}

export class Compressor {
  readonly #formsOf = perObject<Representation, Map<Coding, Representation | Promise<Representation>>>(() => new Map());

  /** Makes each form once. Returns the answer itself if compression would not shorten it. */
  compress(
    representation: Representation,
    { coding, effort }: { readonly coding: Coding; readonly effort: Effort },
  ): Representation | Promise<Representation> {
    const forms = this.#formsOf(representation);
    const form = forms.get(coding);
    if (form !== undefined) return form;
    const making = compressed(representation, coding, effort);
    forms.set(coding, making);
    making.then(
      (made) => forms.set(coding, made),
      () => forms.delete(coding),
    );
    return making;
  }
}

async function compressed(representation: Representation, coding: Coding, effort: Effort): Promise<Representation> {
  const body = await new Promise<Buffer>((resolve, reject) => {
    const done = (error: Error | null, made: Buffer): void => (error === null ? resolve(made) : reject(error));
    coding.once(representation.body, coding.options(effort), done);
  });
  if (body.length >= (representation.length ?? 0)) return representation;
  return { ...withCoding(representation, coding), body, length: body.length };
}

/** Each form has its own strong tag. */
function withCoding(representation: Representation, { name }: Pick<Coding, 'name'>): Representation {
  const { etag, headers } = representation;
  return {
    ...representation,
    etag: etag === null ? null : `${etag.slice(0, -1)}-${name}"`,
    headers: { ...headers, 'Content-Encoding': name },
  };
}

export async function* compressPieces(source: AsyncIterable<Piece>, coding: Coding): AsyncGenerator<Uint8Array> {
  // What fails ends the loop below with the same error.
  const stream = pipeline(
    Readable.from(source, { objectMode: true }),
    coding.stream(coding.options('fast')),
    () => undefined,
  );
  for await (const piece of stream) yield piece;
}

export type { Coding };
