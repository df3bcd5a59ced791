/** The rules of template variables for new values: type, choices and input properties (docs/writing.md#rules-of-a-variable). */
import { linearPattern } from './linear-pattern.js';
import { type PhpValue, parsePhpArray } from './php-value.js';
import { choiceValues, hasChoices, type TvFacts, tvKind, tvReader } from './tv-types.js';
import { isBinding } from './tv-values.js';

export interface TvRuleFacts extends TvFacts {
  /** PHP's serialize text. */
  readonly inputProperties: string | null;
}

interface TvRules {
  readonly isRequired: boolean;
  readonly choices: readonly string[];
  /** Of a number its value, else its characters. */
  readonly least: number | null;
  readonly most: number | null;
  readonly decimals: number | null;
  readonly pattern: string | null;
  readonly patternText: string | null;
}

function readRules({ type, elements, inputProperties }: TvRuleFacts): TvRules {
  const properties = parsePhpArray(inputProperties) ?? new Map<string, PhpValue>();
  const text = (name: string): string => String(properties.get(name) ?? '').trim();
  const number = (name: string): number | null => {
    const value = text(name) === '' ? Number.NaN : Number(text(name));
    return Number.isFinite(value) ? value : null;
  };
  const isOff = (name: string) => properties.get(name) === false || /^(0|false|no)$/i.test(text(name));
  const isNumber = type === 'number';
  const least = number(isNumber ? 'minValue' : 'minLength');
  return {
    isRequired: isOff('allowBlank'),
    choices: hasChoices(type) === null ? [] : choiceValues(elements ?? ''),
    least: isNumber && least === null && isOff('allowNegative') ? 0 : least,
    most: number(isNumber ? 'maxValue' : 'maxLength'),
    decimals: isNumber ? (isOff('allowDecimals') ? 0 : number('decimalPrecision')) : null,
    pattern: text('regex') || null,
    patternText: text('regexText') || null,
  };
}

export function ruleNames(type: string): readonly string[] {
  const own =
    type === 'number'
      ? ['minValue', 'maxValue', 'allowDecimals', 'allowNegative', 'decimalPrecision']
      : ['minLength', 'maxLength'];
  return ['allowBlank', ...own, 'regex', 'regexText'];
}

const kinds: Readonly<Record<string, string>> = {
  number: 'a number',
  reference: 'the id of a resource',
  json: 'JSON',
  date: 'a date',
};

/** What the variable does not accept about a stored text; null for a fitting one and for a binding. */
export function tvProblem(text: string, facts: TvRuleFacts): string | null {
  if (isBinding(text)) return null;
  const rules = readRules(facts);
  if (text.trim() === '') return rules.isRequired ? 'must not be empty' : null;
  return fits(text, facts, rules)
    ? null
    : `${shortened(text)} is not accepted: ${rules.patternText ?? acceptedText(facts, rules)}`;
}

/** What a variable does not accept about its own default, by its columns; to have none is no problem. */
export function defaultProblem(columns: Readonly<Record<string, unknown>>): string | null {
  const text = (name: string) => String(columns[name] ?? '');
  const facts = { type: text('type'), elements: text('elements'), inputProperties: text('input_properties') };
  return text('default_text').trim() === '' ? null : tvProblem(text('default_text'), facts);
}

function fits(text: string, facts: TvRuleFacts, rules: TvRules): boolean {
  const { choices, least, most, decimals, pattern } = rules;
  if (choices.length > 0) {
    const members = hasChoices(facts.type) === 'one' ? [text] : text.split('||');
    return members.every((member) => choices.includes(member.trim()));
  }
  if (Object.hasOwn(kinds, tvKind(facts)) && tvReader(facts)(text, 'UTC') === undefined) return false;
  if (facts.type === 'email' && !isEmail(text)) return false;
  const size = facts.type === 'number' ? Number(text) : [...text].length;
  if ((least !== null && size < least) || (most !== null && size > most)) return false;
  if (decimals !== null && Number(size.toFixed(Math.min(100, decimals))) !== size) return false;
  // A pattern that cannot be read in linear time is not checked.
  return pattern === null || (linearPattern(pattern)?.(text) ?? true);
}

function isEmail(text: string): boolean {
  const at = text.indexOf('@');
  return at > 0 && at === text.lastIndexOf('@') && at < text.length - 1 && !/\s/.test(text);
}

/** `must be a number from 0 to 100`. */
function acceptedText(facts: TvRuleFacts, { choices, least, most, decimals, pattern }: TvRules): string {
  if (choices.length > 0) {
    return `must be ${hasChoices(facts.type) === 'one' ? 'one' : 'some'} of: ${choices.slice(0, 20).join(', ')}${choices.length > 20 ? ', …' : ''}`;
  }
  const isNumber = facts.type === 'number';
  const what =
    isNumber && decimals === 0
      ? 'a whole number'
      : (kinds[tvKind(facts)] ?? (facts.type === 'email' ? 'an e-mail address' : 'a text'));
  const unit = isNumber ? '' : ' characters';
  const range =
    least !== null && most !== null
      ? ` from ${least} to ${most}${unit}`
      : least !== null
        ? ` of at least ${least}${unit}`
        : most !== null
          ? ` of at most ${most}${unit}`
          : '';
  const digits = decimals === null || decimals === 0 ? '' : ` with at most ${decimals} decimals`;
  return `must be ${what}${range}${digits}${pattern === null ? '' : ` that matches ${shortened(pattern)}`}`;
}

function shortened(text: string): string {
  return JSON.stringify(
    [...text.slice(0, 200)].length > 60 ? `${[...text.slice(0, 200)].slice(0, 59).join('')}…` : text,
  );
}

/** As JSON Schema, for clients that check before they write. */
export function tvAccepts(facts: TvRuleFacts): Readonly<Record<string, unknown>> {
  const { isRequired, choices, least, most, decimals, pattern } = readRules(facts);
  const [minimum, maximum] = facts.type === 'number' ? ['minimum', 'maximum'] : ['minLength', 'maxLength'];
  return {
    required: isRequired,
    ...(choices.length === 0 ? {} : { enum: choices }),
    ...(least === null ? {} : { [minimum as string]: least }),
    ...(most === null ? {} : { [maximum as string]: most }),
    ...(decimals === null ? {} : { multipleOf: Number((10 ** -decimals).toFixed(20)) }),
    ...(pattern === null ? {} : { pattern }),
  };
}

/** For people who read the types of a site; null without rules beyond the type. */
export function tvRulesText(facts: TvRuleFacts): string | null {
  const rules = readRules(facts);
  const isPlain = rules.least === null && rules.most === null && rules.decimals === null && rules.pattern === null;
  const parts = [
    ...(isPlain ? [] : [acceptedText(facts, rules).replace(/^must be a/, 'A')]),
    ...(rules.isRequired ? ['never empty'] : []),
  ];
  return parts.length === 0 ? null : parts.join(', ');
}
