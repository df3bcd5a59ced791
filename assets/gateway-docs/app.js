// Shows the document of the interface that the address names (#api-pages), otherwise that of the gateway.
const documents = document.querySelectorAll('script[type="application/json"]');
const reference = document.querySelector('#reference');

const named = (control) => control.closest('tr')?.querySelector('.parameter__name')?.firstChild?.textContent;

// What Swagger UI leaves without a name, a place or an order for screen readers and keyboards.
const repairs = {
  'h3.opblock-tag:not([aria-level]), .models > h4:not([aria-level])': { 'aria-level': () => '2' },
  'h4:not([aria-level])': { 'aria-level': () => '3' },
  'h5:not([aria-level])': { 'aria-level': () => '4' },
  ':is(.information-container, .scheme-container):not([role])': {
    role: () => 'region',
    'aria-label': (part) => (part.matches('.scheme-container') ? 'Authorization' : 'About'),
  },
  ':is(select, input, textarea):not([aria-label])': {
    'aria-label': (control) => named(control) ?? (control.placeholder || control.title || 'Value'),
  },
  ':is(pre, .microlight, .highlight-code, .json-schema-2020-12__title):not([tabindex])': { tabindex: () => '0' },
  '.opblock-summary-control a[href]': { href: () => null },
};

function repair() {
  for (const [selector, attributes] of Object.entries(repairs)) {
    for (const part of reference.querySelectorAll(selector)) {
      for (const [name, valueFor] of Object.entries(attributes)) {
        const value = valueFor(part);
        if (value === null) part.removeAttribute(name);
        else part.setAttribute(name, value);
      }
    }
  }
}

/** Optional parameters start empty: examples of all of them together are not a useful request. */
function withoutExample({ example, examples, ...parameter }) {
  const { examples: [first] = [], ...schema } = parameter.schema ?? {};
  const shown = example ?? Object.values(examples ?? {})[0]?.value ?? first;
  if (parameter.required) return { ...parameter, example: shown };
  const note = shown === undefined ? '' : ` Example: \`${typeof shown === 'object' ? JSON.stringify(shown) : shown}\``;
  const empty = schema.type === 'object' ? { example: {} } : {};
  return { ...parameter, ...empty, schema, description: `${parameter.description ?? ''}${note}` };
}

function read(json) {
  return JSON.parse(json, (key, value) => {
    if (key !== 'parameters' || typeof value !== 'object') return value;
    const isParameter = (one) => one?.in !== undefined || one?.$ref !== undefined;
    if (!Object.values(value).every(isParameter)) return value;
    if (Array.isArray(value)) return value.map((one) => (one.$ref ? one : withoutExample(one)));
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withoutExample(one)]));
  });
}

function show() {
  const [, name] = /^#api-(\w+)$/.exec(location.hash) ?? [];
  const chosen = [...documents].find(({ id }) => id === `api-${name}`) ?? documents[0];
  for (const link of document.querySelectorAll('nav a')) {
    if (link.hash === `#${chosen.id}`) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
  SwaggerUIBundle({
    spec: read(chosen.textContent),
    dom_id: '#reference',
    deepLinking: true,
    defaultModelsExpandDepth: 0,
    displayRequestDuration: true,
    validatorUrl: null,
  });
}

new MutationObserver(repair).observe(reference, { childList: true, subtree: true, attributeFilter: ['href'] });
addEventListener('hashchange', () => {
  if (/^#api-\w+$/.test(location.hash)) show();
});
show();
