/** Values that are typed as one text. */
import { useId, useState } from 'preact/hooks';
import { valueKindOf } from '../../../src/pages/rules/field-types.js';
import { isObject } from '../api.js';
import { describedBy, Field } from '../parts.js';
import { texts } from '../texts.js';
import { useProblems } from './editing.js';
import { helpOf, nameOf, type ValueProps } from './fields.js';
import { PageDialog } from './pickers.js';
import { RichText } from './rich-text.js';

const inputTypes = { date: 'date', time: 'time', datetime: 'datetime-local' } as const;
const inputModes = { number: 'decimal', url: 'url', email: 'email' } as const;

export function TextField({ field, value, path, change }: ValueProps) {
  const id = useId();
  const problems = useProblems(path, true);
  const kind = valueKindOf(field.type);
  const [typed, setTyped] = useState<string | null>(null);
  const [isPicking, setPicking] = useState(false);
  const stored = value === undefined || value === null ? '' : String(value);
  const isNumber = kind === 'number' || (kind === 'reference' && typeof value !== 'string');
  const text = isNumber && typed !== null && asNumber(typed) === value ? typed : stored;
  const take = (next: string): void => {
    setTyped(next);
    change(next === '' ? undefined : kind === 'number' || kind === 'reference' ? asNumber(next) : next);
  };
  const about = {
    ...{ id, value: text, 'aria-invalid': problems.length > 0, 'aria-required': field.required },
    'aria-describedby': describedBy(id, { help: helpOf(field), problems }),
    readOnly: field.type === 'readonly',
    onInput: ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) => take(currentTarget.value),
  };
  const isColour = field.type === 'color' || field.type === 'colorpalette';
  const picksPage = kind === 'url' || field.type === 'relation';
  return (
    <Field id={id} label={nameOf(field)} help={helpOf(field)} required={field.required} problems={problems}>
      <div class="row">
        {kind === 'longText' ? (
          <textarea {...about} rows={4} class="text" />
        ) : (
          <input
            {...about}
            type={inputTypes[kind as keyof typeof inputTypes] ?? 'text'}
            inputMode={inputModes[kind as keyof typeof inputModes]}
            autocomplete="off"
          />
        )}
        {isColour ? (
          <input
            type="color"
            aria-label={texts.writing.colour(nameOf(field))}
            value={/^#[0-9a-f]{6}$/i.test(text) ? text : '#000000'}
            onInput={({ currentTarget }) => take(currentTarget.value)}
          />
        ) : null}
        {picksPage ? (
          <button type="button" class="small" onClick={() => setPicking(true)}>
            {texts.writing.choosePage}
          </button>
        ) : null}
      </div>
      {isPicking ? (
        <PageDialog close={() => setPicking(false)} choose={({ id, uri }) => change(kind === 'url' ? `/${uri}` : id)} />
      ) : null}
    </Field>
  );
}

/** What is no number stays as it is typed: the command says so. */
function asNumber(text: string): number | string {
  const number = Number(text.trim().replace(',', '.'));
  return text.trim() !== '' && Number.isFinite(number) ? number : text;
}

/** Of blocks of another editor the HTML is edited, and the blocks are left out. */
export function HtmlField({ field, value, path, change }: ValueProps) {
  const id = useId();
  const problems = useProblems(path, true);
  const isBlocks = field.type === 'editorjs';
  const html = isBlocks && isObject(value) ? value['html'] : value;
  const take = (next: string): void => change(next === '' ? undefined : isBlocks ? { json: null, html: next } : next);
  const about = { id, value: typeof html === 'string' ? html : '' };
  const frame = { label: nameOf(field), help: helpOf(field), problems };
  const description = describedBy(id, frame);
  return (
    <Field {...frame} id={id} required={field.required}>
      {field.type === 'ace' ? (
        <textarea {...about} rows={8} spellcheck={false} onInput={({ currentTarget }) => take(currentTarget.value)} />
      ) : (
        <RichText
          {...about}
          label={frame.label}
          describedBy={description}
          isWrong={problems.length > 0}
          change={take}
        />
      )}
    </Field>
  );
}
