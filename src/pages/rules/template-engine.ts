/** The template language (docs/pages-documents.md), a bounded part of Liquid. The only file that knows LiquidJS. */
import {
  Context,
  Drop,
  defaultOperators,
  type Emitter,
  Liquid,
  type Template,
  Tokenizer,
  TokenKind,
  type TopLevelToken,
  toValueSync,
} from 'liquidjs';
import { AppError, invalidField } from '../../errors/app-error.js';
import { escapeHtml } from '../../values/text.js';
import { pageLimits } from './page-document.js';
import { printValue, RenderMeter, sectionBudget, templateFilters, weigh } from './template-filters.js';
import { checkPlaces, type TemplatePiece } from './template-places.js';

export interface CompiledTemplate {
  readonly parts: readonly Template[];
  /** Counted for every part: the library reads branches without a callback. */
  readonly stepWork: number;
}

/** Everything else of Liquid is taken out. */
export const templateTags = ['assign', 'break', 'case', 'comment', 'continue', 'for', 'if', 'unless'];
const blocks = ['case', 'comment', 'for', 'if', 'unless'];
const branches = ['else', 'elsif', 'when'];
const jumps = ['break', 'continue'];

const mostTags = 1000;
const mostTagCharacters = 1000;
const mostNesting = 20;
const mostLoops = 4;

const engine = makeEngine();

function makeEngine(): Liquid {
  const liquid = new Liquid({
    // Names of templates are looked up in this object, never in a file system; the tags that would are gone too.
    templates: {},
    dynamicPartials: false,
    relativeReference: false,
    ownPropertyOnly: true,
    strictFilters: true,
    strictVariables: false,
    outputEscape: escapeOutput,
    operators: Object.fromEntries(Object.entries(defaultOperators).map(([name, run]) => [name, charged(run)])),
    parseLimit: pageLimits.templateCharacters,
  });
  for (const name of Object.keys(liquid.tags)) if (!templateTags.includes(name)) delete liquid.tags[name];
  for (const name of Object.keys(liquid.filters)) liquid.unregisterFilter(name);
  for (const [name, filter] of Object.entries(templateFilters)) liquid.registerFilter(name, filter);
  return liquid;
}

function escapeOutput(this: { readonly context: Context }, value: unknown): string {
  const text = printValue(value);
  this.context.memoryLimit.use(text.length);
  return escapeHtml(text);
}

type Operator = (typeof defaultOperators)[string];

/** Comparisons of long texts make a short template slow, so they are counted. */
function charged(operator: Operator): Operator {
  return (...values: unknown[]): ReturnType<Operator> => {
    const context = values.at(-1);
    if (context instanceof Context) {
      for (const value of values) if (value !== context) context.memoryLimit.use(1 + weigh(value));
    }
    return Reflect.apply(operator, undefined, values);
  };
}

/** Throws validation_failed for `template` when it is not in the language or over its bounds. */
export function compileTemplate(text: string): CompiledTemplate {
  if (text.length > pageLimits.templateCharacters) {
    throw invalidField('template', `must have at most ${pageLimits.templateCharacters} characters`);
  }
  try {
    const tokens = new Tokenizer(text, engine.options.operators).readTopLevelTokens(engine.options);
    checkTokens(tokens);
    checkPlaces(withoutComments(tokens).flatMap(pieceOf));
    const parts = engine.parse(text);
    // A range makes a list of any length, and near the end of the exact numbers one that never ends.
    if (holdsRange(parts)) throw invalidField('template', 'must not use a range such as (1..3)');
    return { parts, stepWork: branchWork(tokens) };
  } catch (error) {
    if (error instanceof AppError) throw error;
    // Every error of the library here is about the text: names, syntax, or nesting that exceeds its stack.
    throw new AppError('validation_failed', {
      message: `is not a template: ${firstLine(error)}`,
      details: { fields: { template: [`is not a template: ${firstLine(error)}`] } },
      cause: error,
    });
  }
}

/** Throws validation_failed when it exceeds the budget or fails. */
export function renderTemplate(
  { parts, stepWork }: CompiledTemplate,
  {
    values,
    meter = new RenderMeter(sectionBudget),
  }: { readonly values: Readonly<Record<string, unknown>>; readonly meter?: RenderMeter },
): string {
  const context = new Context({ ...values }, engine.options, { sync: true, globals: {} });
  // The library calls these before every part that it runs, and for everything that takes memory.
  context.renderLimit.check = () => {
    meter.spend('steps', 1);
    meter.spend('work', stepWork);
  };
  context.memoryLimit.use = (amount) => meter.spend('work', amount);
  const readProperty = context.readProperty.bind(context);
  const weights = new Map<object, number>();
  // Every use of a value (loops, cases, comparisons with `blank`, `size`) reads it first.
  context.readProperty = (object, key) => {
    // `forloop` is an object of the library, whose prototype it would let templates see and call.
    const isHidden = object instanceof Drop && !loopMembers.includes(String(key));
    const value: unknown = isHidden ? undefined : readProperty(object, key);
    meter.spend('work', Math.max(readWork, readWeight(value, weights)));
    return value;
  };
  const emitter = meteredEmitter(meter);
  try {
    toValueSync(engine.renderer.renderTemplates([...parts], context, emitter));
    return emitter.buffer;
  } catch (error) {
    throw new AppError('validation_failed', { message: `the template failed: ${firstLine(error)}`, cause: error });
  }
}

function meteredEmitter(meter: RenderMeter): Emitter {
  return {
    buffer: '',
    write(value: unknown) {
      const text = printValue(value);
      meter.spend('output', text.length);
      this.buffer += text;
    },
  };
}

/** Looking up a member costs at least as much as reading this many characters. */
const readWork = 10;

/** Listing the names of an object is slower than reading as many characters. */
const memberWork = 10;

/** Each list and object counts once in a rendering; filters and operators count texts. */
function readWeight(value: unknown, known: Map<object, number>): number {
  if (typeof value !== 'object' || value === null) return 0;
  const weight = known.get(value) ?? (Array.isArray(value) ? weigh(value) : memberWork * Object.keys(value).length);
  known.set(value, weight);
  return weight;
}

const loopMembers = ['first', 'index', 'index0', 'last', 'length', 'rindex', 'rindex0'];

/** Bounds that keep each step cheap and the reading of blocks inside blocks shallow. */
function checkTokens(tokens: readonly TopLevelToken[]): void {
  const open: string[] = [];
  const made = tokens.filter((token) => token.kind !== TokenKind.HTML);
  if (made.length > mostTags) throw invalidField('template', `must have at most ${mostTags} tags and outputs`);
  for (const token of made) {
    if (token.end - token.begin > mostTagCharacters) {
      throw invalidField('template', `must have at most ${mostTagCharacters} characters in a tag`);
    }
    const name = 'name' in token && typeof token.name === 'string' ? token.name : '';
    if (blocks.includes(name)) open.push(name);
    else if (name.startsWith('end')) open.pop();
    if (open.length > mostNesting)
      throw invalidField('template', `must have at most ${mostNesting} blocks in one another`);
    if (open.filter((one) => one === 'for').length > mostLoops) {
      throw invalidField('template', `must have at most ${mostLoops} loops in one another`);
    }
  }
}

function withoutComments(tokens: readonly TopLevelToken[]): readonly TopLevelToken[] {
  let depth = 0;
  return tokens.filter((token) => {
    const name = 'name' in token ? token.name : '';
    if (name === 'comment') depth += 1;
    if (name === 'endcomment') depth -= 1;
    return depth === 0;
  });
}

function pieceOf(token: TopLevelToken): TemplatePiece[] {
  if (token.kind === TokenKind.HTML) return [{ kind: 'html', text: htmlOf(token) }];
  const text = contentOf(token).trim();
  if (token.kind === TokenKind.Output) return [{ kind: 'output', text, ...lastFilter(readerOf(text)) }];
  const name = 'name' in token && typeof token.name === 'string' ? token.name : '';
  if (name === 'assign') return [assignment(text)];
  if (blocks.includes(name)) return [{ kind: 'begin', text }];
  if (branches.includes(name)) return [{ kind: 'else', text }];
  if (jumps.includes(name)) return [{ kind: 'jump', text }];
  // Comments are gone, with what begins them.
  return name.startsWith('end') && name !== 'endcomment' ? [{ kind: 'end', text }] : [];
}

/** Without the blanks that marks such as `{%-` take away. */
function htmlOf({ input, begin, end, ...token }: TopLevelToken): string {
  const left = 'trimLeft' in token ? Number(token.trimLeft) : 0;
  const right = 'trimRight' in token ? Number(token.trimRight) : 0;
  return input.slice(begin + left, end - right);
}

function readerOf(text: string): Tokenizer {
  return new Tokenizer(text, engine.options.operators);
}

/** Parsed as the library does: text that looks like a filter may be part of a string. */
function lastFilter(reader: Tokenizer): { readonly filter?: string } {
  const filter = reader.readFilteredValue().filters.at(-1)?.name;
  return filter === undefined ? {} : { filter };
}

function assignment(text: string): TemplatePiece {
  const reader = readerOf(text);
  reader.readIdentifier();
  const name = reader.readIdentifier().getText();
  reader.skipBlank();
  reader.advance();
  return { kind: 'assign', text: name, ...lastFilter(reader) };
}

function contentOf(token: TopLevelToken): string {
  return token.getText().replace(/^\{[{%]-?|-?[%}]\}$/g, '');
}

function branchWork(tokens: readonly TopLevelToken[]): number {
  const branches = tokens.filter((token) => 'name' in token && (token.name === 'elsif' || token.name === 'when'));
  return branches.reduce((sum, token) => sum + token.end - token.begin, 0);
}

/** Ranges have no tag or filter that could be removed. */
function holdsRange(parts: readonly Template[]): boolean {
  const seen = new Set<unknown>();
  const open: unknown[] = [...parts];
  while (open.length > 0) {
    const one = open.pop();
    if (typeof one !== 'object' || one === null || seen.has(one)) continue;
    seen.add(one);
    if ('kind' in one && one.kind === TokenKind.Range) return true;
    for (const [name, value] of Object.entries(one)) if (!enginesOwn.includes(name)) open.push(value);
  }
  return false;
}

/** Members of parsed parts that lead back into the library. */
const enginesOwn = ['liquid', 'parser', 'tokenizer', 'tokens'];

function firstLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return (text.split('\n')[0] ?? '').slice(0, 200);
}
