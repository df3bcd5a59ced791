/** JSON of unknown shape: parsed and inspected without prototypes, and described for messages. */

export type JsonObject = Readonly<Record<string, unknown>>;

export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/** No list and not null. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Undefined, which JSON cannot express, when the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function memberOf(object: JsonObject, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

export function kindName(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  const names: Readonly<Record<string, string>> = {
    object: 'an object',
    string: 'a text',
    number: 'a number',
    boolean: 'true or false',
    function: 'a function',
  };
  return names[typeof value] ?? 'nothing';
}

/** Walks without recursion. */
export function isWithinDepth(value: unknown, depth: number): boolean {
  let level = [value];
  for (let at = 0; level.length > 0; at += 1) {
    const inner = level.filter((one) => typeof one === 'object' && one !== null);
    if (inner.length > 0 && at >= depth) return false;
    level = inner.flatMap((one) => Object.values(one as object));
  }
  return true;
}

/** The order of members does not count. */
export function isSameJson(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (Array.isArray(one) || Array.isArray(other)) {
    if (!Array.isArray(one) || !Array.isArray(other) || one.length !== other.length) return false;
    return one.every((item, at) => isSameJson(item, other[at]));
  }
  if (!isJsonObject(one) || !isJsonObject(other)) return false;
  const names = Object.keys(one);
  if (names.length !== Object.keys(other).length) return false;
  return names.every((name) => Object.hasOwn(other, name) && isSameJson(one[name], other[name]));
}

/** Names are from outside: `__proto__` becomes a member like any other. */
export function objectOf(pairs: Iterable<readonly [string, unknown]>): JsonObject {
  return Object.fromEntries(pairs);
}
