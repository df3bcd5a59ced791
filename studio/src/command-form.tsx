/** Any command as a form, made from its definition, with its command line. */
import { Fragment } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { CommandView, ParameterView } from '../../commands/studio/command-view.js';
import { type Json, type JsonObject, type RunInput, type RunResult, usePerform } from './api.js';
import { Field, TextInput } from './inputs.js';
import { type FieldValue, type FieldView, fieldValue, ParameterField, type Values } from './parameter-field.js';
import { Busy, Button, CopyLine, Notice } from './parts.js';
import { ResultView } from './result-view.js';
import { commandOf, withEvents } from './site.js';
import { texts } from './texts.js';
import { textOf } from './values.js';

interface FormGroup {
  readonly title?: string;
  readonly isFolded?: boolean;
  readonly names: readonly string[];
}

export type Known = Readonly<Record<string, Omit<FieldView, 'name'>>>;

export interface CommandFormProps {
  readonly path: string;
  readonly words?: readonly string[];
  readonly options?: RunInput['options'];
  readonly initial?: Values;
  /** A record that is changed: only what differs from it is given. */
  readonly stored?: JsonObject;
  readonly known?: Known;
  /** In place of all arguments and flags. Names that the command does not know are for `flags`. */
  readonly groups?: readonly FormGroup[];
  /** Of a form whose values are kept in this tab until they are saved. */
  readonly draft?: ReturnType<typeof useDraft>;
  /** Flags of values. Default: each by its name. */
  readonly flags?: (given: Readonly<Record<string, Json>>) => Readonly<Record<string, Json>>;
  readonly submit?: string;
  readonly onDone?: (result: RunResult) => void;
}

/** What was changed in a form, by name of argument and flag; kept by the name of the form. */
export function useDraft(form?: string, initial: Values = {}) {
  const key = `hcd-studio-draft ${form}`;
  const [values, setValues] = useState<Values>(() => JSON.parse(sessionStorage.getItem(key) ?? 'null') ?? initial);
  useEffect(() => {
    if (form !== undefined) sessionStorage.setItem(key, JSON.stringify(values));
  }, [values]);
  return {
    values,
    set: (name: string, value: FieldValue) => setValues((before) => ({ ...before, [name]: value })),
    clear: () => setValues(initial),
  };
}

export function CommandForm(props: CommandFormProps) {
  const { path, words = [], options = {}, initial = {}, stored, known = {}, draft: kept, onDone } = props;
  const { flags = (given) => given, submit = stored ? texts.save : texts.run } = props;
  const command = commandOf(path);
  const own = useDraft(undefined, initial);
  const { values, set, clear } = kept ?? own;
  const [input, setInput] = useState<string | File | undefined>(undefined);
  const [wasFound, setFound] = useState(kept !== undefined && Object.keys(values).length > 0);
  const { result, error, isRunning, outcome, perform } = usePerform(path, (done) => {
    if (kept !== undefined) discard();
    onDone?.(done);
  });
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (error !== null) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [error]);
  const discard = (): void => {
    setFound(false);
    clear();
  };
  const all = { ...withEvents(command), ...initial, ...values };
  const args = (command?.arguments ?? []).slice(words.length);
  const flagsShown = (command?.options ?? []).filter(({ name }) => !(name in options));
  const fieldOf = (field: FieldView): FieldView => ({ ...field, ...known[field.name] });
  const named = (name: string): FieldView =>
    fieldOf({ ...[...args, ...flagsShown].find((one) => one.name === name), name, description: '' });
  const groups = props.groups?.map((group) => ({ ...group, isOpen: false, fields: group.names.map(named) }));
  const shown = groups ?? groupsOf(args.map(fieldOf), flagsShown.map(fieldOf), values);
  const fields = shown.flatMap((group) => group.fields);
  const typed = args.flatMap(({ name }) => given(all[name])).map(String);
  const before = ({ name, emptied }: FieldView): FieldValue => {
    const value = fieldValue(stored?.[name] ?? stored?.[name.replaceAll('-', '_')]);
    return value === emptied ? '' : value;
  };
  const current = (field: FieldView): FieldValue => all[field.name] ?? before(field);
  const changed = fields
    .filter(({ name }) => args.every((one) => one.name !== name))
    .filter((field) => String(current(field) || '') !== String(before(field) || ''))
    .map(({ name, emptied = '' }) => [name, given(all[name]) || emptied] as const);
  const asked: RunInput = {
    arguments: [...words, ...typed.filter((word) => word !== '')],
    options: flags({ ...(groups && withEvents(command)), ...options, ...Object.fromEntries(changed) }),
    ...(input !== undefined && { input }),
  };
  const isChanged = changed.length > 0;
  const labelOf = ({ name, label = `--${name}` }: FieldView): string => label;
  const isWrong = (field: FieldView): boolean => (error?.fields[labelOf(field)] ?? []).length > 0;
  return (
    <form
      ref={form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        const partial = event.currentTarget.querySelector<HTMLInputElement>('[type="datetime-local"]:invalid');
        if (partial === null) perform(asked);
        else partial.focus();
      }}
    >
      {wasFound && isChanged && (
        <Notice>
          <p>{texts.draftFound}</p>
          <Button label={texts.discard} act={discard} />
        </Notice>
      )}
      <fieldset disabled={command === undefined}>
        {shown.map(({ title, isFolded = false, isOpen, fields: some }) => {
          const controls = some.map((field) => (
            <ParameterField
              key={field.name}
              parameter={field}
              value={current(field)}
              problems={error?.fields[labelOf(field)] ?? []}
              change={(value) => set(field.name, value)}
            />
          ));
          if (some.length === 0) return null;
          return isFolded ? (
            <details key={title} open={isOpen || some.some(isWrong)}>
              <summary>{title}</summary>
              {controls}
            </details>
          ) : (
            <Fragment key={title}>
              {title && <h2>{title}</h2>}
              {controls}
            </Fragment>
          );
        })}
        {groups === undefined && command?.input && (
          <Field label={texts.file} required={command.input.required}>
            <input
              type="file"
              aria-label={texts.file}
              onChange={({ currentTarget }) => setInput(currentTarget.files?.[0])}
            />
            <TextInput
              {...{ label: texts.orText, help: command.input.description, rows: 6 }}
              value={typeof input === 'string' ? input : ''}
              change={(text) => setInput(text || undefined)}
            />
          </Field>
        )}
      </fieldset>
      {command && (
        <div class="actions">
          <button
            type="submit"
            class={command.destructive ? 'primary danger' : 'primary'}
            disabled={isRunning || (stored !== undefined && !isChanged)}
          >
            {submit}
          </button>
        </div>
      )}
      {command && kept === undefined && <CommandLine command={command} given={asked} />}
      {isRunning && <Busy text={texts.running} />}
      {outcome(fields.map(labelOf))}
      {result !== null && kept !== undefined && !isChanged && (
        <Notice kind="good">{[texts.saved, ...result.notes].join('\n')}</Notice>
      )}
      {result !== null && kept === undefined && onDone === undefined && <ResultView result={result} />}
    </form>
  );
}

function groupsOf(args: readonly FieldView[], flags: readonly FieldView[], values: Values) {
  const needed = [...args, ...flags.filter(({ required }) => required)];
  const others = flags.filter(({ required }) => !required);
  const isOpen = others.length <= 6 || needed.length === 0 || others.some(({ name }) => values[name] !== undefined);
  return [
    { title: '', fields: needed, isOpen },
    { title: texts.optional, isFolded: true, isOpen, fields: others },
  ];
}

function given(value: FieldValue | undefined): Json {
  return Array.isArray(value) ? value.filter((text) => text !== '') : value || '';
}

export function CommandLine({ command, given }: { readonly command: CommandView; readonly given: RunInput }) {
  const { path, options } = command;
  const { arguments: words = [], options: values = {}, input } = given;
  const flags = options.flatMap((option) => flagWords(option, values[option.name]));
  const file = input === undefined ? [] : ['< FILE'];
  return (
    <CopyLine text={['hcd', path, ...words.map(quoted), ...flags, ...file].join(' ')}>
      <span class="help">{texts.commandLine}</span>
    </CopyLine>
  );
}

function flagWords({ label, placeholder, repeatable }: ParameterView, value: Json | undefined): readonly string[] {
  if (value === undefined || value === null || value === false) return [];
  if (placeholder === null) return [label];
  if (Array.isArray(value)) {
    const texts = value.map(textOf);
    return repeatable ? texts.flatMap((text) => [label, quoted(text)]) : [label, quoted(texts.join(','))];
  }
  return [label, quoted(textOf(value))];
}

/** As a POSIX shell reads one word. */
function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
