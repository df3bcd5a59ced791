/** The flags with which a command takes a record as one JSON object: --data and --file. */
import { fileValue, refusal, textValue, type ValueType } from '../src/config/value-type.js';
import type { FieldDefinition } from '../src/content/objects/definition.js';
import { AppError } from '../src/errors/app-error.js';
import { isJsonObject, parseJson } from '../src/values/json.js';
import type { Deps } from './deps.js';
import { optional, type Parameter, usageError } from './parameters.js';
import { readJsonFile, sourceName } from './read-file.js';

export type Members = Readonly<Record<string, unknown>>;

export function wholeParameters(example: string, description: string) {
  const accepts = `a JSON object such as ${example}`;
  const jsonObject: ValueType<string> = {
    ...textValue({ accepts }),
    parse: (text) => (readObject(text) === null ? refusal(accepts, text) : { ok: true, value: text }),
  };
  return {
    data: optional(jsonObject, description, { placeholder: 'JSON', members: '' }),
    file: optional(fileValue, 'File with such a JSON object, or - for standard input'),
  };
}

export function schemaOf(field: FieldDefinition | undefined): Parameter<unknown>['schema'] {
  const { maxLength, range: [minimum, maximum] = [] } = field ?? {};
  return { maxLength, minimum, maximum };
}

export function camelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_whole, letter: string) => letter.toUpperCase());
}

/** Empty without both flags. Throws usage and refused. */
export async function wholeObject(
  { data, file }: { readonly data?: string | undefined; readonly file?: string | undefined },
  deps: Deps,
): Promise<Members> {
  if (data !== undefined && file !== undefined) throw usageError({ '--file': 'cannot be combined with --data' });
  if (file === undefined) return data === undefined ? {} : (readObject(data) ?? {});
  const whole = await readJsonFile(file, deps);
  if (isJsonObject(whole)) return whole;
  throw new AppError('refused', { message: `${sourceName(file)} does not contain a JSON object of fields` });
}

export function checkChanges(body: Members): void {
  if (Object.keys(body).length === 0) throw usageError({ '--data': 'is required when no field is given' });
}

function readObject(text: string): Members | null {
  const value = parseJson(text);
  return isJsonObject(value) ? value : null;
}
