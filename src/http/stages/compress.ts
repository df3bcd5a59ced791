/** Which answers are compressed (docs/reference/http.md#compression). */
import { type Coding, Compressor, chooseCoding, compressPieces, withCoding } from '../answers/compression.js';
import { matchingTag, type Representation } from '../answers/representation.js';
import type { Piece } from '../answers/send-pieces.js';
import type { Exchange } from '../interface/exchange.js';

export interface Compress {
  /** Forms of kept answers are made once, and more thoroughly. */
  whole(exchange: Exchange, answer: Representation, isKept: boolean): Representation | Promise<Representation>;
  pieces(exchange: Exchange, answer: Representation, source: AsyncIterable<Piece>): Pieced;
}

interface Pieced {
  readonly representation: Representation;
  readonly source: AsyncIterable<Piece>;
}

export function makeCompress(isOn: boolean): Compress {
  const compressor = new Compressor();
  const codingFor = (exchange: Exchange, answer: Representation): Coding | null => {
    const accepted = exchange.header('accept-encoding');
    return isOn && accepted !== undefined && mayCompress(exchange, answer) ? chooseCoding(accepted) : null;
  };
  return {
    whole(exchange, answer, isKept) {
      const coding = codingFor(exchange, answer);
      if (coding === null || isKnown(exchange, answer)) return answer;
      return compressor.compress(answer, { coding, isKept });
    },
    pieces(exchange, representation, source) {
      const coding = codingFor(exchange, representation);
      if (coding === null) return { representation, source };
      const coded = { ...withCoding(representation, coding), length: null };
      return { representation: coded, source: compressPieces(source, coding) };
    },
  };
}

/** BREACH: compressed lengths reveal text, and answers to sessions hold the CSRF token. */
function mayCompress(exchange: Exchange, answer: Representation): boolean {
  if (!exchange.isRead || answer.status !== 200 || exchange.identity.kind === 'session') return false;
  if (answer.isCompressible !== true) return false;
  return !/\bno-transform\b/i.test(exchange.header('cache-control') ?? '');
}

function isKnown(exchange: Exchange, { etag }: Representation): boolean {
  const header = exchange.header('if-none-match');
  // `*` names no form: the 304 has the tag of the one that would be sent.
  return etag !== null && header !== undefined && header.trim() !== '*' && matchingTag(header, etag) !== null;
}
