/** Questions as addresses. */

type Value = string | number | boolean | Date | null | undefined;

/** The parameters of a request, by name. */
export function parametersOf(query: object): URLSearchParams {
  const parameters = new URLSearchParams();
  let asksTvs = false;
  for (const [name, value] of Object.entries(query) as [string, unknown][]) {
    if (value === undefined || value === false) continue;
    if (name === 'filter') writeFilter(parameters, value as object);
    else if (name === 'fieldsOf')
      for (const [path, fields] of Object.entries(value as object)) parameters.set(`fields[${path}]`, String(fields));
    else if (name === 'uris') for (const uri of value as string[]) parameters.append(name, uri);
    else parameters.set(name, value === true ? '1' : String(value));
    asksTvs ||= name === 'tv_fields' || (name === 'include' && /(^|[,.])tvs([,.]|$)/.test(String(value)));
  }
  if (asksTvs) parameters.set('tv_format', 'typed');
  return parameters;
}

function writeFilter(parameters: URLSearchParams, filter: object): void {
  for (const [field, condition] of Object.entries(filter) as [string, Value | object][]) {
    if (condition === undefined) continue;
    const isPlain = condition === null || typeof condition !== 'object' || condition instanceof Date;
    const tests = isPlain ? { [condition === null ? 'null' : 'eq']: condition } : condition;
    for (const [operator, value] of Object.entries(tests) as [string, unknown][]) {
      const name = `filter[${field}][${operator}]`;
      if (value === undefined) continue;
      // Values with commas have to be given one by one.
      if (Array.isArray(value) && value.length > 0)
        for (const one of value) parameters.append(`${name}[]`, textOf(one));
      else parameters.set(name, Array.isArray(value) ? '' : textOf(value as Value));
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
