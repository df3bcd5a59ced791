/** Questions as addresses. */

type Value = string | number | boolean | Date | null | undefined;

/** The parameters of a request as the end of an address, `?limit=20&sort=id`; empty without any. */
export function parametersOf(query: object): string {
  let text = '';
  let asksTvs = false;
  // URLSearchParams takes longer than everything else that the client does for a request.
  const add = (name: string, value: unknown): void => {
    text += `${text === '' ? '?' : '&'}${encode(name)}=${typeof value === 'number' ? value : encode(String(value))}`;
  };
  for (const [name, value] of Object.entries(query) as [string, unknown][]) {
    if (value === undefined || value === false) continue;
    if (name === 'filter') writeFilter(add, value as object);
    else if (name === 'fieldsOf')
      for (const [path, fields] of Object.entries(value as object)) add(`fields[${path}]`, fields);
    else if (name === 'uris') for (const uri of value as string[]) add(name, uri);
    else add(name, value === true ? '1' : value);
    asksTvs ||= name === 'tv_fields' || (name === 'include' && /(^|[,.])tvs([,.]|$)/.test(String(value)));
  }
  if (asksTvs && !('tv_format' in query)) add('tv_format', 'typed');
  return text;
}

function encode(text: string): string {
  try {
    return encodeURIComponent(text);
  } catch {
    // Half a letter, which no address can hold.
    return encodeURIComponent(text.replace(/\p{Cs}/gu, '\ufffd'));
  }
}

function writeFilter(add: (name: string, value: unknown) => void, filter: object): void {
  for (const [field, condition] of Object.entries(filter) as [string, Value | object][]) {
    if (condition === undefined) continue;
    const isPlain = condition === null || typeof condition !== 'object' || condition instanceof Date;
    const tests = isPlain ? { [condition === null ? 'null' : 'eq']: condition } : condition;
    for (const [operator, value] of Object.entries(tests) as [string, unknown][]) {
      const name = `filter[${field}][${operator}]`;
      if (value === undefined) continue;
      // Values with commas have to be given one by one.
      if (Array.isArray(value) && value.length > 0) for (const one of value) add(`${name}[]`, textOf(one));
      else add(name, Array.isArray(value) ? '' : textOf(value as Value));
    }
  }
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
