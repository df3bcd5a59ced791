/** The result of a command as a table, a record, a text, or the JSON that `--json` prints. */
import { useState } from 'preact/hooks';
import { isObject, type Json, type JsonObject, type RunResult } from './api.js';
import { Button, Choose, CopyButton, Notice } from './parts.js';
import { texts } from './texts.js';
import { Facts, Scroll, Table, textOf } from './values.js';

/** Rows drawn at once; the flags of a command choose others. */
const mostRows = 1000;

export function ResultView({ result }: { readonly result: RunResult }) {
  const [form, setForm] = useState<'table' | 'json'>('table');
  const { data, notes, file } = result;
  if (file !== undefined) {
    return (
      <Notice kind="good">
        <Button label={`${texts.file}: ${file.size.toLocaleString()} B`} act={() => saveFile(file, 'output')} />
      </Notice>
    );
  }
  const json = JSON.stringify(data, null, 2);
  return (
    <section class="result" aria-label={texts.result}>
      <div class="bar">
        <h2>{texts.result}</h2>
        <div class="choice">
          <Choose names={{ table: texts.asTable, json: 'JSON' }} value={form} change={setForm} kind="small" />
          <CopyButton text={json} />
        </div>
      </div>
      {notes.map((note) => (
        <Notice kind={result.exit_code === undefined ? 'plain' : 'bad'}>{note}</Notice>
      ))}
      {form === 'json' ? <LongText text={json} /> : <Data {...result} />}
    </section>
  );
}

function Data({ data, meta: { fields, ...list } = {} }: RunResult) {
  if (data === null) return <Notice kind="good">{texts.done}</Notice>;
  if (Array.isArray(data) && data.every(isObject)) return <Rows rows={data} {...list} />;
  if (!isObject(data)) return <LongText text={textOf(data)} />;
  return <Facts rows={(fields ?? Object.keys(data)).map((name) => [name, <Member value={data[name] ?? null} />])} />;
}

function Member({ value }: { readonly value: Json }) {
  if (Array.isArray(value) && value.length > 0 && value.every(isObject)) return <Rows rows={value} />;
  const text = isObject(value) ? JSON.stringify(value, null, 2) : textOf(value);
  return text.includes('\n') ? <LongText text={text} /> : text;
}

type RowsProps = Omit<NonNullable<RunResult['meta']>, 'fields'> & { readonly rows: readonly JsonObject[] };

/** With the names and values of the terminal. */
function Rows({ rows, columns = [...new Set(rows.flatMap(Object.keys))], total = rows.length, empty }: RowsProps) {
  const raw = columns.map((name) => ({ name, title: name, show: (row: JsonObject) => textOf(row[name]) }));
  return <Table label={texts.asTable} columns={raw} rows={rows.slice(0, mostRows)} {...{ total, empty }} />;
}

export function saveFile(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

function LongText({ text }: { readonly text: string }) {
  return (
    <Scroll label={texts.result}>
      <pre>{text}</pre>
    </Scroll>
  );
}
