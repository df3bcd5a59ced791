/** Values that are typed as one text. */
import { useState } from 'preact/hooks';
import { valueKindOf } from '../../../src/pages/rules/field-types.js';
import { isObject } from '../api.js';
import { TextInput } from '../inputs.js';
import { texts } from '../texts.js';
import { useField, type ValueProps } from './editing.js';
import { PageButton } from './pickers.js';
import { RichText } from './rich-text.js';

const inputTypes = { date: 'date', time: 'time', datetime: 'datetime-local' } as const;
const inputModes = { number: 'decimal', url: 'url', email: 'email' } as const;

export function TextField({ field, value, path, change }: ValueProps) {
  const own = useField(field, path);
  const kind = valueKindOf(field.type);
  const [typed, setTyped] = useState<string | null>(null);
  const stored = value === undefined || value === null ? '' : String(value);
  const isNumber = kind === 'number' || (kind === 'reference' && typeof value !== 'string');
  const text = isNumber && typed !== null && asNumber(typed) === value ? typed : stored;
  const take = (next: string): void => {
    setTyped(next);
    change(next === '' ? undefined : kind === 'number' || kind === 'reference' ? asNumber(next) : next);
  };
  return (
    <TextInput
      {...own}
      value={text}
      change={take}
      rows={kind === 'longText' ? 4 : undefined}
      type={inputTypes[kind as keyof typeof inputTypes]}
      inputMode={inputModes[kind as keyof typeof inputModes]}
      readOnly={field.type === 'readonly'}
    >
      {field.type === 'color' || field.type === 'colorpalette' ? (
        <input
          type="color"
          aria-label={texts.writing.colour(own.label)}
          value={/^#[0-9a-f]{6}$/i.test(text) ? text : '#000000'}
          onInput={({ currentTarget }) => take(currentTarget.value)}
        />
      ) : null}
      {kind === 'url' || field.type === 'relation' ? (
        <PageButton choose={({ id, uri }) => change(kind === 'url' ? `/${uri}` : id)} />
      ) : null}
    </TextInput>
  );
}

/** What is no number stays as it is typed: the command says so. */
function asNumber(text: string): number | string {
  const number = Number(text.trim().replace(',', '.'));
  return text.trim() !== '' && Number.isFinite(number) ? number : text;
}

/** Of blocks of another editor the HTML is edited, and the blocks are left out. */
export function HtmlField({ field, value, path, change }: ValueProps) {
  const own = useField(field, path);
  const isBlocks = field.type === 'editorjs';
  const stored = isBlocks && isObject(value) ? value['html'] : value;
  const html = typeof stored === 'string' ? stored : '';
  const take = (next: string): void => change(next === '' ? undefined : isBlocks ? { json: null, html: next } : next);
  if (field.type === 'ace') return <TextInput {...own} value={html} change={take} rows={8} isCode />;
  return <RichText {...own} value={html} change={take} />;
}
