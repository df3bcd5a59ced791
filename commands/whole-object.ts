/** The flags with which a command takes a record: one for each field, or --data and --file for all of them. */
import { fileValue, textValue } from '../src/config/value-type.js';
import type { WrittenByHand } from '../src/content/administration/edit-content.js';
import type { FieldDefinition } from '../src/content/objects/definition.js';
import { AppError } from '../src/errors/app-error.js';
import { isJsonObject, parseJson } from '../src/values/json.js';
import type { Notes, RecordResult } from './command.js';
import type { Deps } from './deps.js';
import { anyText, optional, type Parameter, usageError } from './parameters.js';
import { readJsonFile, sourceName } from './read-file.js';

export type Members = Readonly<Record<string, unknown>>;

interface About extends Pick<Parameter<unknown>, 'schema'> {
  readonly description?: string;
  readonly placeholder: string;
}

const placeholders: Readonly<Record<string, string>> = {
  integer: 'N',
  boolean: 'FLAG',
  datetime: 'TIME',
  json: 'JSON',
};

export function aboutField(field: FieldDefinition | undefined): About {
  const { type = '', maxLength, range: [minimum, maximum] = [] } = field ?? {};
  return { placeholder: placeholders[type] ?? 'TEXT', schema: { maxLength, minimum, maximum } };
}

export function recordFlags<N extends string>(
  names: readonly N[],
  { example, also, about }: { readonly example: string; readonly also: string; readonly about: (name: N) => About },
) {
  const flags = names.map((name) => {
    const { description = '', ...rest } = about(name);
    return [camelCase(name), optional(anyText, description, rest)];
  });
  const isAccepted = (text: string): boolean => readObject(text) !== null;
  const jsonObject = textValue({ accepts: `a JSON object such as ${example}`, isAccepted });
  const fields: Readonly<Record<string, Parameter<string | undefined>>> = Object.fromEntries(flags);
  return {
    whole: {
      data: optional(jsonObject, also, { placeholder: 'JSON', members: '' }),
      file: optional(fileValue, 'File with such a JSON object, or - for standard input'),
    },
    fields,
    async read(given: WholeFlags, deps: Deps, readText: (name: N, text: string) => unknown): Promise<Members> {
      const whole = await wholeObject(given, deps);
      const single = names.flatMap((name) => {
        const text = given[camelCase(name)];
        return typeof text === 'string' ? [[name, readText(name, text)] as const] : [];
      });
      return { ...whole, ...Object.fromEntries(single) };
    },
  };
}

export function camelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_whole, letter: string) => letter.toUpperCase());
}

export type WholeFlags = Members & { readonly data?: string | undefined; readonly file?: string | undefined };

/** Empty without both flags. Throws usage and refused. */
async function wholeObject({ data, file }: WholeFlags, deps: Deps): Promise<Members> {
  if (data !== undefined && file !== undefined) throw usageError({ '--file': 'cannot be combined with --data' });
  if (file === undefined) return data === undefined ? {} : (readObject(data) ?? {});
  const whole = await readJsonFile(file, deps);
  if (isJsonObject(whole)) return whole;
  throw new AppError('refused', { message: `${sourceName(file)} does not contain a JSON object of fields` });
}

export function writtenRecord(
  { record, warnings }: WrittenByHand,
  { fields, notes = [] }: { readonly fields: readonly string[]; readonly notes: Notes | undefined },
): RecordResult {
  const warned = warnings.map(({ field, message }) => `Written, but ${field}: ${message}`);
  return { kind: 'record', record, fields, notes: [...warned, ...notes] };
}

export function checkChanges(body: Members): void {
  if (Object.keys(body).length === 0) throw usageError({ '--data': 'is required when no field is given' });
}

function readObject(text: string): Members | null {
  const value = parseJson(text);
  return isJsonObject(value) ? value : null;
}
