/** Questions as addresses. */

type Value = string | number | boolean | Date | null | undefined;

/**
 * The parameters of a request as the end of an address, `?limit=20&sort=id`; empty without any. Few functions make it:
 * between other work their code is in no cache of the processor, and that costs more than what they do.
 */
export function parametersOf(query: object): string {
  let text = '';
  let asksTvs = false;
  for (const name of Object.keys(query)) {
    const value = (query as Record<string, unknown>)[name];
    if (value === undefined || value === false) continue;
    if (name === 'filter') text = withFilter(text, value as object);
    else if (name === 'fieldsOf')
      for (const [path, fields] of Object.entries(value as object))
        text = withParameter(text, `fields[${path}]`, fields);
    else if (name === 'uris') for (const uri of value as string[]) text = withParameter(text, name, uri);
    else text = withParameter(text, name, value === true ? 1 : value);
    asksTvs ||= name === 'tv_fields' || (name === 'include' && /(^|[,.])tvs([,.]|$)/.test(String(value)));
  }
  return asksTvs && !('tv_format' in query) ? withParameter(text, 'tv_format', 'typed') : text;
}

function withParameter(before: string, name: string, value: unknown): string {
  // `String` of a list takes twice as long.
  const shown = Array.isArray(value) ? value.join() : value;
  return `${before}${before === '' ? '?' : '&'}${encode(name)}=${typeof shown === 'number' ? shown : encode(String(shown))}`;
}

function encode(text: string): string {
  try {
    return encodeURIComponent(text);
  } catch {
    // Half a letter, which no address can hold.
    return encodeURIComponent(text.replace(/\p{Cs}/gu, '\ufffd'));
  }
}

function withFilter(before: string, filter: object): string {
  let text = before;
  for (const [field, condition] of Object.entries(filter) as [string, Value | object][]) {
    if (condition === undefined) continue;
    const isPlain = condition === null || typeof condition !== 'object' || condition instanceof Date;
    const tests = isPlain ? { [condition === null ? 'null' : 'eq']: condition } : condition;
    for (const [operator, value] of Object.entries(tests) as [string, unknown][]) {
      const name = `filter[${field}][${operator}]`;
      if (value === undefined) continue;
      // Values with commas have to be given one by one.
      if (Array.isArray(value) && value.length > 0)
        for (const one of value) text = withParameter(text, `${name}[]`, textOf(one));
      else text = withParameter(text, name, Array.isArray(value) ? '' : textOf(value as Value));
    }
  }
  return text;
}

function textOf(value: Value): string {
  return value instanceof Date ? value.toISOString() : String(value ?? 1);
}

/** An address of a page as a path: each part encoded. */
export function pathOf(uri: string): string {
  return uri.replace(/^\/+/, '').split('/').map(encodeURIComponent).join('/');
}

const core = new Set('resources,contexts,chunks,templates,snippets,tvs,categories,content_types'.split(','));

/** The route of an object, or of a record of it. */
export function routeOf(name: string, key?: string | number): string {
  const list = core.has(name) ? `/${name}` : `/objects/${encodeURIComponent(name)}`;
  return key === undefined ? list : `${list}/${encodeURIComponent(key)}`;
}
