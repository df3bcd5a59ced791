/** The form of a record: only what was changed is sent; what was typed stays in this tab until it is saved. */
import { type ComponentChild, Fragment } from 'preact';
import { useId, useState } from 'preact/hooks';
import type { Json, RunResult } from './api.js';
import { rowsOf } from './data-table.js';
import { BoxesInput, ChoiceInput, type Choices, type InputProps, TextInput } from './inputs.js';
import { PageDialog } from './pages/pickers.js';
import { ErrorNotice, Field, type FieldText, Notice } from './parts.js';
import { useCommand } from './site.js';
import { texts } from './texts.js';
import { usePerform, useRun } from './use-run.js';
import { textOf, titleOf } from './values.js';

/** Lists stand as text. */
export type FieldProps = InputProps<string>;

type Control = (field: FieldProps) => ComponentChild;

export interface FormField extends Partial<FieldText> {
  /** Of the flag that sets it. */
  readonly name: string;
  /** As text. */
  readonly before: string;
  /** What is sent for nothing. Default: nothing. */
  readonly emptied?: string;
  /** What the command calls it. Default: the flag. */
  readonly problemsAt?: string;
  /** Draws it; no component, which would be another one each time. Default: a line of text. */
  readonly control?: Control | undefined;
}

export interface FormGroup {
  readonly title?: string;
  readonly isFolded?: boolean;
  readonly fields: readonly FormField[];
}

/** By name of the field. */
export type Changes = Readonly<Record<string, string>>;

export interface Draft {
  readonly changes: Changes;
  readonly change: (name: string, value: string) => void;
  readonly clear: () => void;
}

/** What was typed into a form, by the name of the form. */
export function useDraft(form: string): Draft {
  const key = `hcd-studio-draft ${form}`;
  const [changes, setChanges] = useState<Changes>(() => JSON.parse(sessionStorage.getItem(key) ?? '{}'));
  const keep = (next: (before: Changes) => Changes): void =>
    setChanges((before) => {
      const changed = next(before);
      sessionStorage.setItem(key, JSON.stringify(changed));
      return changed;
    });
  return {
    changes,
    change: (name, value) => keep((before) => ({ ...before, [name]: value })),
    clear: () => keep(() => ({})),
  };
}

interface RecordFormProps {
  /** The command that saves. */
  readonly path: string;
  readonly words: readonly string[];
  readonly groups: readonly FormGroup[];
  readonly draft: Draft;
  /** Flags of changed fields. Default: each by its name. */
  readonly flags?: (changed: Changes) => Readonly<Record<string, Json>>;
  readonly saved?: (result: RunResult) => void;
}

export function RecordForm({ path, words, groups, draft, flags = (changed) => changed, saved }: RecordFormProps) {
  const command = useCommand(path);
  const isNew = words.length === 0;
  const [wasFound, setFound] = useState(Object.keys(draft.changes).length > 0);
  const discard = (): void => {
    setFound(false);
    draft.clear();
  };
  const { perform, error, result, isRunning } = usePerform(path, (done) => {
    discard();
    saved?.(done);
  });
  const changed = Object.fromEntries(
    groups
      .flatMap(({ fields }) => fields)
      .flatMap(({ name, before, emptied = '' }): [string, string][] => {
        const value = draft.changes[name] ?? before;
        return value === before ? [] : [[name, value || emptied]];
      }),
  );
  const isChanged = Object.keys(changed).length > 0;
  const placeOf = ({ name, problemsAt = `--${name}` }: FormField): string => problemsAt;
  const problemsOf = (field: FormField) => error?.fields[placeOf(field)] ?? [];
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        const partial = event.currentTarget.querySelector<HTMLInputElement>('[type="datetime-local"]:invalid');
        if (partial === null) perform({ arguments: words, options: flags(changed) });
        else partial.focus();
      }}
    >
      {wasFound && isChanged ? (
        <Notice kind="plain">
          <p>{texts.draftFound}</p>
          <button type="button" onClick={discard}>
            {texts.discard}
          </button>
        </Notice>
      ) : null}
      <fieldset class="bare" disabled={command === undefined}>
        {groups.map(({ title, isFolded = false, fields }) => {
          const shown = fields.map((field) => {
            const { name, before, label = titleOf(name), help, required = false, control = lineOfText } = field;
            const own = { label, help, required, problems: problemsOf(field), value: draft.changes[name] ?? before };
            const change = (value: string): void => draft.change(name, value);
            return <Fragment key={name}>{control({ ...own, change })}</Fragment>;
          });
          if (isFolded) {
            return (
              <details open={fields.some((field) => problemsOf(field).length > 0)}>
                <summary>{title}</summary>
                {shown}
              </details>
            );
          }
          return fields.length === 0 ? null : (
            <Fragment key={title}>
              {title === undefined ? null : <h2 class="part">{title}</h2>}
              {shown}
            </Fragment>
          );
        })}
      </fieldset>
      {error === null ? null : (
        <ErrorNotice error={error} shown={groups.flatMap(({ fields }) => fields.map(placeOf))} />
      )}
      {result === null || isChanged ? null : <Notice kind="good">{[texts.saved, ...result.notes].join('\n')}</Notice>}
      {command === undefined ? null : (
        <div class="actions sticky">
          <button type="submit" class="primary" disabled={isRunning || (!isNew && !isChanged)}>
            {isNew ? texts.create : texts.save}
          </button>
        </div>
      )}
    </form>
  );
}

/** As a flag has a value: a list by commas, nothing for null. */
export function flagText(value: Json | undefined): string {
  return Array.isArray(value) ? value.join(',') : textOf(value);
}

function lineOfText(field: FieldProps) {
  return <TextInput {...field} />;
}

export function linesOfText(field: FieldProps) {
  return <TextInput {...field} rows={4} />;
}

export function pageOfSite(field: FieldProps) {
  return <ResourceField {...field} />;
}

/** A resource by its title, kept by id. */
export function ResourceField({ label, help, value, problems, change }: FieldProps) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const options = { filter: [`id=${value}`], fields: 'id,pagetitle' };
  const { result } = useRun(value === '' ? null : 'resource list', { options });
  const title = rowsOf(result?.data).find((row) => textOf(row['id']) === value)?.['pagetitle'];
  return (
    <Field {...{ id, label, help, problems }}>
      <div class="row">
        <button id={id} type="button" onClick={() => setOpen(true)}>
          {value === '' ? texts.writing.choosePage : textOf(title) || value}
        </button>
        {value === '' ? null : (
          <button type="button" class="small" onClick={() => change('')}>
            {texts.remove}
          </button>
        )}
      </div>
      {isOpen ? <PageDialog close={() => setOpen(false)} choose={(page) => change(String(page.id))} /> : null}
    </Field>
  );
}

export function oneOf(choices: Choices): Control {
  return (field) => <ChoiceInput {...field} choices={choices} />;
}

export function someOf(choices: Choices, separator = ','): Control {
  return ({ value, change, ...field }) => (
    <BoxesInput
      {...{ ...field, choices }}
      value={value === '' ? [] : value.split(separator)}
      change={(chosen) => change(chosen.join(separator))}
    />
  );
}
