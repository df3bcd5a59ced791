/** Refuses regular expressions that take more than linear time, because callers and editors choose the texts. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { patternProblem } from './pattern-cost.js';
import { listFiles, parseSource, readProgram, repository } from './source-file.js';

/** Expressions that are made while the program runs: those of the lists are read where they are made. */
const made: ReadonlyMap<string, string> = new Map([
  ['src/banners/rules/csv.ts', 'anchored at the start, and a run of quotes before a run of other signs'],
  ['src/banners/rules/visitor.ts', 'four numbers of three digits'],
  ['src/content/rules/alias-pattern.ts', 'one class of characters'],
  ['src/content/rules/html-addresses.ts', 'the name of an element'],
  ['src/content/rules/linear-pattern.ts', 'a class, an escape or a sign: one character of the text'],
  ['src/content/rules/search-words.ts', 'runs of letters'],
  ['src/values/text.ts', 'one sign'],
  ['src/pages/rules/template-html.ts', 'the name of an element'],
  ['commands/mcp/tools.ts', 'patterns of our own tools'],
]);

/** Expressions that the rule does not understand. */
const linear: ReadonlyMap<string, string> = new Map([
  [String.raw`\[\[(?:(?!\[\[|\]\]).)*\]\]`, 'what is repeated ends at the next brackets'],
]);

const client = listFiles('client/src', (name) => name.endsWith('.ts'));
const program = [
  ...readProgram().filter(({ path }) => !/^(?:bench|binary)\//.test(path)),
  ...client.map((path) => parseSource(path, readFileSync(join(repository, path), 'utf8'))),
];

test('has no regular expression that takes more than linear time', () => {
  const found = program.flatMap(({ path, patterns }) =>
    patterns.flatMap(({ source, flags, line }) => {
      const problem = patternProblem(source, flags);
      return problem === null || linear.has(source) ? [] : [`${path}:${line} /${source}/${flags} ${problem}`];
    }),
  );
  expect(found).toEqual([]);
});

test('makes regular expressions from text only in the listed files', () => {
  const files = program.filter(({ uses }) => uses.some(({ name }) => name === 'new RegExp()'));
  expect(files.map(({ path }) => path).sort()).toEqual([...made.keys()].sort());
});

describe('a pattern', () => {
  it.each([
    [/\/+$/],
    [/^\/+|\/+$/g],
    [/\s+$/],
    [/=.*$/],
    [/[a-z]+\d/g],
    [/(\{[^}]+\})/],
    [/^\d+\.?\d*$/],
    [/^\s*x?\s*$/],
    [/^(?:a+)*$/],
    [/^(?:\s*,?)*;/],
    [/^[a-z ]*(\(\d+\))?[a-z ]*( x)?$/],
    [/(?=.*x)y/],
    [/^(?:.*)(?:x|.*)y/],
  ])('that may take quadratic time is refused: %s', ({ source, flags }) => {
    expect(patternProblem(source, flags)).not.toBeNull();
  });

  it.each([
    [/^\/+/],
    [/\/+/g],
    [/\{[^{}]+\}/g],
    [/^\d+(?:\.\d*)?$/],
    [/^\s*[^\s]+$/],
    [/^[^=]+=.*$/s],
    [/^'(?:[^'\\]|'')*'(?:,'(?:[^'\\]|'')*')*$/],
    [/^(\w+)((?:\[\w*\])*)=/],
    [/\d{1,3}$/],
    [/^(?:[a-z]+(?:-[a-z]+)*)$/],
    [/[ \t]*:/y],
    [/\p{L}+/gu],
    [/;\s*$/],
    [/-?\d+(?:\.\d+)?/g],
    [/\[~(:*)((?!\d+:)[\w.%-]+):/g],
  ])('that takes linear time is accepted: %s', ({ source, flags }) => {
    expect(patternProblem(source, flags)).toBeNull();
  });
});
