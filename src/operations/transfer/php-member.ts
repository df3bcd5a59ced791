/** A member that the CMS keeps as PHP's serialize text. */
import {
  deepestWritten as deepest,
  isPhpWritable,
  jsonOfPhp,
  parsePhpValue,
  serializePhpValue,
} from '../../content/rules/php-value.js';
import { isJsonObject, isWithinDepth } from '../../values/json.js';
import { hasNul, type Member } from './members.js';
import { WrongValue } from './transfer-record.js';

const noArray = 'a:0:{}';

/** JSON that the CMS keeps as PHP's serialize text; what JSON cannot say is `{"php": "O:8:…"}`. */
export function php(column: string, byDefault: string | null = noArray): Member {
  return {
    column,
    default: byDefault,
    read(value) {
      if (value === null) return null;
      const text = isJsonObject(value) && Object.keys(value).length === 1 ? value['php'] : undefined;
      if (typeof text === 'string') return text;
      if (!isPhpWritable(value)) throw new WrongValue(`must be a list or an object of at most ${deepest} levels`);
      return serializePhpValue(value);
    },
    show(raw, names) {
      if (raw === null) return null;
      if (hasNul(raw, names)) return undefined;
      const stored = String(raw);
      if (stored === '') return [];
      const parsed = parsePhpValue(stored);
      const shown = parsed instanceof Map ? jsonOfPhp(parsed) : undefined;
      return shown !== undefined && isWithinDepth(shown, deepest) ? shown : { php: stored };
    },
  };
}
