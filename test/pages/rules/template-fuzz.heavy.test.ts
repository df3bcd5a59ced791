/** Templates put together at random, on data with every awkward name and size: they end, they refuse, they change nothing. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AppError } from '../../../src/errors/app-error.js';
import { compileTemplate, renderTemplate } from '../../../src/pages/rules/template-engine.js';

const value = fc.constantFrom(
  ...['a', 'l', 'o', 'o.x', 'l[0]', 'l.first', 'l.size', 'big', 'wide', 's', 'forloop', 'forloop.index', 'o[s]', '"x"'],
  ...['1', '-1', '1e9', 'nil', 'true', 'empty', 'blank', '__proto__', 'constructor', 'o.__proto__', 'size'],
);
const filter = fc.constantFrom(
  ...['upcase', 'join: s', 'join', 'lines', 'first', 'last', 'size', 'default: l', 'truncate: 5', 'plus: 1'],
  ...['round: 9', 'rich', 'plain', 'url', 'times: 1e308', 'divided_by: 0', 'modulo: 0', 'image', 'tel', 'capitalize'],
);
const operator = fc.constantFrom('==', '!=', '<', '>', 'contains', 'and', 'or', '<=');
const expression = fc.tuple(value, fc.array(filter, { maxLength: 4 })).map(([one, list]) => [one, ...list].join(' | '));
const condition = fc.tuple(value, operator, value).map((parts) => parts.join(' '));
const name = value.map((one) => one.replace(/\W/g, ''));

const { template } = fc.letrec<{ template: string }>((tie) => {
  const inner = tie('template');
  return {
    template: fc.oneof(
      { maxDepth: 4 },
      expression.map((one) => `{{ ${one} }}`),
      fc.constantFrom('x', '{% break %}', '{% continue %}'),
      fc.tuple(name, expression).map(([to, one]) => `{% assign ${to} = ${one} %}`),
      fc
        .tuple(condition, inner, inner)
        .map(([when, one, other]) => `{% if ${when} %}${one}{% else %}${other}{% endif %}`),
      fc
        .tuple(name, value, inner)
        .map(([item, list, one]) => `{% for ${item} in ${list} reversed limit: 7 %}${one}{% endfor %}`),
      fc
        .tuple(value, value, inner)
        .map(([of, is, one]) => `{% case ${of} %}{% when ${is} %}${one}{% else %}-{% endcase %}`),
      fc.tuple(inner, inner, inner).map((parts) => parts.join('')),
    ),
  };
});

test('ends or refuses any template, and leaves the data and all prototypes unchanged', () => {
  const big = Array.from({ length: 50_000 }, (_, at) => (at % 3 === 0 ? { x: [at] } : at));
  const odd: unknown = JSON.parse('{"x":{"y":[1]},"__proto__":{"z":1},"constructor":"c","size":"s"}');
  const wide = Object.fromEntries(big.map((_, at) => [`k${at}`, at]));
  const values = { a: 'text <b>', l: [1, 'b', null, [2], { x: 1 }], o: odd, big, wide, s: 'x'.repeat(50_000) };
  const before = JSON.stringify(values);
  const refused = (error: unknown): null => {
    expect(error).toBeInstanceOf(AppError);
    return null;
  };
  let rendered = 0;
  fc.assert(
    fc.property(template, (text) => {
      const compiled = attempt(() => compileTemplate(text), refused);
      if (compiled && attempt(() => renderTemplate(compiled, { values }), refused) !== null) rendered += 1;
    }),
    { numRuns: 1500 },
  );
  // The property is about templates that run.
  expect(rendered).toBeGreaterThan(500);
  expect(JSON.stringify(values)).toBe(before);
  expect([Object.keys(Object.prototype), Object.keys(Array.prototype)]).toEqual([[], []]);
});

function attempt<T>(work: () => T, otherwise: (error: unknown) => null): T | null {
  try {
    return work();
  } catch (error) {
    return otherwise(error);
  }
}
