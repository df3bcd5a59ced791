/** A control for one argument or flag, by its kind. */
import { useId } from 'preact/hooks';
import type { ParameterView } from '../../commands/studio/command-view.js';
import { describedBy, Field, FieldGroup, Switch } from './parts.js';
import { texts } from './texts.js';

/** Switches are booleans, what takes several values is a list, all else is text. */
export type FieldValue = string | boolean | readonly string[];

/** Also of what is no argument or flag. */
export interface FieldView extends ParameterView {
  /** In place of one that is made of the name. */
  readonly title?: string;
  readonly isLong?: boolean;
  /** What is shown of a choice. */
  readonly choiceNames?: ReadonlyMap<string, string>;
}

interface ParameterFieldProps {
  readonly parameter: FieldView;
  readonly value: FieldValue | undefined;
  readonly problems: readonly string[];
  readonly change: (value: FieldValue) => void;
}

/** More choices than this are typed with proposals. */
const mostBoxes = 200;

export function ParameterField(props: ParameterFieldProps) {
  const { parameter } = props;
  if (parameter.placeholder === null) return <SwitchField {...props} />;
  if (parameter.repeatable) return <ListField {...props} />;
  if (parameter.kind === 'list' && !parameter.isOpen && parameter.choices.length <= mostBoxes)
    return <BoxesField {...props} />;
  return <TextField {...props} />;
}

function helpOf({ description, accepts }: ParameterView): string {
  return accepts === null ? description : `${description}: ${accepts}`;
}

function nameOf({ name, label, title }: FieldView): string {
  if (title !== undefined) return title;
  const words = (label.startsWith('--') ? name : label).replaceAll(/[-_]/g, ' ').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function groupOf(parameter: FieldView) {
  return { label: nameOf(parameter), help: helpOf(parameter) || undefined, required: parameter.required };
}

function SwitchField({ parameter, value, problems, change }: ParameterFieldProps) {
  return (
    <Switch label={nameOf(parameter)} help={parameter.description} isOn={value === true} {...{ problems, change }} />
  );
}

function TextField({ parameter, value, problems: found, change }: ParameterFieldProps) {
  const id = useId();
  const text = textOf(value);
  const problems = parameter.placeholder === 'JSON' && !isJson(text) ? [texts.invalidJson, ...found] : found;
  return (
    <Field id={id} {...groupOf(parameter)} problems={problems}>
      <Control id={id} {...{ parameter, value: text, problems, change }} />
      {parameter.kind === 'time' ? <TimePicker {...{ label: nameOf(parameter), change }} /> : null}
    </Field>
  );
}

/** Nothing is left to the command. */
function isJson(text: string): boolean {
  if (text.trim() === '') return true;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

interface ControlProps {
  readonly id: string;
  readonly parameter: FieldView;
  readonly value: string;
  readonly problems: readonly string[];
  readonly change: (value: string) => void;
}

function Control({ id, parameter, value, problems, change }: ControlProps) {
  const { kind, choices, isOpen, placeholder, required } = parameter;
  const about = {
    id,
    value,
    required,
    'aria-invalid': problems.length > 0,
    'aria-describedby': describedBy(id, { help: helpOf(parameter) || undefined, problems }),
  };
  const take = ({ currentTarget }: { readonly currentTarget: { readonly value: string } }): void =>
    change(currentTarget.value);
  if (kind === 'choice' && !isOpen) {
    return (
      <select {...about} onChange={take}>
        <option value="">{texts.none}</option>
        {choices.map((choice) => (
          <option value={choice}>{parameter.choiceNames?.get(choice) ?? choice}</option>
        ))}
      </select>
    );
  }
  if (isLong(parameter))
    return (
      <textarea {...about} rows={placeholder === 'JSON' ? 6 : 4} spellcheck={placeholder !== 'JSON'} onInput={take} />
    );
  const list = choices.length > 0 ? `${id}-choices` : undefined;
  return (
    <>
      <input
        {...about}
        type="text"
        list={list}
        inputMode={kind === 'integer' ? 'numeric' : 'text'}
        placeholder={placeholder ?? ''}
        onInput={take}
        autocomplete="off"
      />
      {list === undefined ? null : (
        <datalist id={list}>
          {choices.map((choice) => (
            <option value={choice} />
          ))}
        </datalist>
      )}
    </>
  );
}

const longNames: ReadonlySet<string> = new Set(['content', 'introtext', 'description', 'snippet', 'data']);

function isLong({ kind, placeholder, name, choices, isLong }: FieldView): boolean {
  return isLong ?? (kind === 'text' && choices.length === 0 && (placeholder === 'JSON' || longNames.has(name)));
}

function TimePicker({ label, change }: { readonly label: string; readonly change: (value: string) => void }) {
  const pick = (text: string): void => {
    const time = new Date(text);
    if (!Number.isNaN(time.getTime())) change(time.toISOString().replace(/\.\d+Z$/, 'Z'));
  };
  return (
    <input
      type="datetime-local"
      class="picker"
      aria-label={`${texts.pickTime}: ${label}`}
      onInput={({ currentTarget }) => pick(currentTarget.value)}
    />
  );
}

function BoxesField({ parameter, value, problems, change }: ParameterFieldProps) {
  const chosen = new Set(listOf(value));
  const toggle = (choice: string): void => {
    if (!chosen.delete(choice)) chosen.add(choice);
    change(parameter.choices.filter((one) => chosen.has(one)));
  };
  return (
    <FieldGroup {...groupOf(parameter)} problems={problems}>
      <div class="boxes">
        {parameter.choices.map((choice) => (
          <label>
            <input type="checkbox" checked={chosen.has(choice)} onChange={() => toggle(choice)} />{' '}
            {parameter.choiceNames?.get(choice) ?? choice}
          </label>
        ))}
      </div>
    </FieldGroup>
  );
}

function ListField({ parameter, value, problems, change }: ParameterFieldProps) {
  const id = useId();
  const given = listOf(value);
  const rows = given.length === 0 ? [''] : given;
  const set = (index: number, text: string): void => change(rows.map((row, at) => (at === index ? text : row)));
  return (
    <FieldGroup {...groupOf(parameter)} problems={problems}>
      {rows.map((text, index) => (
        <div class="row">
          <input
            type="text"
            aria-label={`${nameOf(parameter)} ${index + 1}`}
            list={`${id}-choices`}
            placeholder={parameter.placeholder ?? ''}
            value={text}
            onInput={({ currentTarget }) => set(index, currentTarget.value)}
          />
          <button
            type="button"
            class="small"
            disabled={rows.length === 1}
            onClick={() => change(rows.filter((_, at) => at !== index))}
          >
            {texts.remove}
          </button>
        </div>
      ))}
      <datalist id={`${id}-choices`}>
        {parameter.choices.map((choice) => (
          <option value={choice} />
        ))}
      </datalist>
      <button type="button" class="small" onClick={() => change([...rows, ''])}>
        {texts.add}
      </button>
    </FieldGroup>
  );
}

function textOf(value: FieldValue | undefined): string {
  return Array.isArray(value) ? value.join(',') : typeof value === 'string' ? value : '';
}

function listOf(value: FieldValue | undefined): readonly string[] {
  return Array.isArray(value) ? value : [];
}
