/** A member that the CMS keeps as PHP's serialize text. */
import type { JsonValue } from '../../content/objects/values.js';
import { type PhpValue, type PhpWritable, parsePhpValue, serializePhpValue } from '../../content/rules/php-value.js';
import { isJsonObject, isWithinDepth } from '../../values/json.js';
import { hasNul, type Member } from './members.js';
import { WrongValue } from './wrong-value.js';

const noArray = 'a:0:{}';
const deepest = 32;

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

/** Undefined for what JSON cannot say, such as objects. */
function jsonOfPhp(value: PhpValue): JsonValue | undefined {
  if (typeof value === 'bigint') return undefined;
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (typeof value !== 'object' || value === null) return value;
  if (!(value instanceof Map)) return undefined;
  const entries: [string, JsonValue][] = [];
  for (const [key, item] of value) {
    const shown = jsonOfPhp(item);
    if (shown === undefined) return undefined;
    entries.push([String(key), shown]);
  }
  const isList = entries.every(([key], at) => key === String(at));
  return isList ? entries.map(([, item]) => item) : Object.fromEntries(entries);
}

function isPhpWritable(value: unknown): value is PhpWritable & object {
  return typeof value === 'object' && value !== null && isWithinDepth(value, deepest);
}
