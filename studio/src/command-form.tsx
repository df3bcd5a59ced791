/** Any command as a form, made from its definition. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { CommandView, ParameterView } from '../../commands/studio/command-view.js';
import type { Json, RunInput, RunResult } from './api.js';
import { commandLine } from './command-line.js';
import { type FieldValue, type FieldView, ParameterField } from './parameter-field.js';
import { Busy, ConfirmDialog, CopyButton, ErrorNotice, Field } from './parts.js';
import { ResultView } from './result-view.js';
import { texts } from './texts.js';
import { usePerform } from './use-run.js';

type Values = Readonly<Record<string, FieldValue>>;

interface CommandFormProps {
  readonly command: CommandView;
  /** By name of argument and flag. */
  readonly initial?: Values;
  /** Arguments and flags that are not shown. */
  readonly hidden?: readonly string[];
  /** Flags that stand above the optional ones. */
  readonly first?: readonly string[];
  /** What is known of an argument or flag beside its definition. */
  readonly known?: Readonly<Record<string, Partial<FieldView>>>;
  /** Of the button. */
  readonly submit?: string;
  readonly onDone?: (result: RunResult) => void;
}

export function CommandForm({ command, initial = {}, hidden = [], first = [], known = {}, ...form }: CommandFormProps) {
  const { submit, onDone } = form;
  const [values, setValues] = useState<Values>(initial);
  const [input, setInput] = useState<string | File | undefined>(undefined);
  const { result, error, isRunning, question, perform, answer } = usePerform(command.path, onDone);
  const element = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (error !== null) element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [error]);
  const given = inputOf(command, { values, input });
  const field = (own: ParameterView) => {
    const parameter = { ...own, ...known[own.name] };
    return (
      <ParameterField
        key={own.label}
        parameter={parameter}
        value={values[own.name]}
        problems={error?.fields[parameter.label] ?? []}
        change={(value) => setValues((before) => ({ ...before, [own.name]: value }))}
      />
    );
  };
  const shown = (all: readonly ParameterView[]) => all.filter(({ name }) => !hidden.includes(name));
  const labels = shown([...command.arguments, ...command.options]).map(
    ({ name, label }) => known[name]?.label ?? label,
  );
  const isFirst = ({ name, required }: ParameterView): boolean => required || first.includes(name);
  const needed = shown(command.options).filter(isFirst);
  const others = shown(command.options).filter((option) => !isFirst(option));
  const isShort = others.length <= 6 || command.arguments.length + needed.length === 0;
  const file =
    command.input === null ? null : <InputField {...{ input: command.input, value: input, change: setInput }} />;
  return (
    <>
      <form
        ref={element}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          perform(given);
        }}
      >
        {shown(command.arguments).map(field)}
        {needed.map(field)}
        {command.input?.required === true ? file : null}
        {others.length === 0 && file === null ? null : (
          <details
            open={
              isShort ||
              others.some(({ label, name }) => (error?.fields[label] ?? []).length > 0 || values[name] !== undefined)
            }
          >
            <summary>{texts.optional}</summary>
            {others.map(field)}
            {command.input?.required === false ? file : null}
          </details>
        )}
        <div class="actions">
          <button type="submit" class={command.destructive ? 'primary danger' : 'primary'} disabled={isRunning}>
            {submit ?? texts.run}
          </button>
        </div>
        <CommandLine line={commandLine(command, given)} />
      </form>
      {isRunning ? <Busy text={texts.running} /> : null}
      {error === null ? null : <ErrorNotice error={error} shown={labels} />}
      {question === null ? null : <ConfirmDialog text={question} answer={answer} />}
      {result === null || onDone !== undefined ? null : <ResultView result={result} />}
    </>
  );
}

export function CommandLine({ line }: { readonly line: string }) {
  return (
    <div class="line">
      <span class="help">{texts.commandLine}</span>
      <code>{line}</code>
      <CopyButton text={line} />
    </div>
  );
}

interface InputFieldProps {
  readonly input: NonNullable<CommandView['input']>;
  readonly value: string | File | undefined;
  readonly change: (value: string | File | undefined) => void;
}

function InputField({ input, value, change }: InputFieldProps) {
  return (
    <fieldset class="field">
      <legend>
        {texts.file}
        {input.required ? <span class="required"> ({texts.required})</span> : null}
      </legend>
      <input type="file" aria-label={texts.file} onChange={({ currentTarget }) => change(currentTarget.files?.[0])} />
      <Field id="studio-input" label={texts.orText} help={input.description} problems={[]}>
        <textarea
          id="studio-input"
          rows={6}
          value={typeof value === 'string' ? value : ''}
          onInput={({ currentTarget }) => change(currentTarget.value === '' ? undefined : currentTarget.value)}
        />
      </Field>
    </fieldset>
  );
}

function inputOf(
  { arguments: args, options }: CommandView,
  { values, input }: { readonly values: Values; readonly input: string | File | undefined },
): RunInput {
  const words = args.flatMap(({ name }) => wordsOf(values[name]));
  const flags = options.flatMap(({ name }): [string, Json][] => {
    const value = values[name];
    const isGiven = typeof value === 'boolean' ? value : wordsOf(value).length > 0;
    return isGiven && value !== undefined ? [[name, Array.isArray(value) ? wordsOf(value) : value]] : [];
  });
  return { arguments: words, options: Object.fromEntries(flags), ...(input === undefined ? {} : { input }) };
}

function wordsOf(value: FieldValue | undefined): readonly string[] {
  if (Array.isArray(value)) return value.filter((text) => text !== '');
  return typeof value === 'string' && value !== '' ? [value] : [];
}
