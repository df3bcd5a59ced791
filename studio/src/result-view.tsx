/** The result of a command as a table, a record, a text, or the JSON that `--json` prints. */
import { useState } from 'preact/hooks';
import { isObject, type Json, type JsonObject, type RunResult } from './api.js';
import { cellText, DataTable } from './data-table.js';
import { CopyButton, Notice, Scroll } from './parts.js';
import { texts } from './texts.js';

/** Rows drawn at once; the flags of a command choose others. */
const mostRows = 1000;

export function ResultView({ result }: { readonly result: RunResult }) {
  const [isJson, setJson] = useState(false);
  const { data, notes, file } = result;
  if (file !== undefined) return <FileView file={file} />;
  const json = JSON.stringify(data, null, 2);
  return (
    <section class="result" aria-label={texts.result}>
      <div class="bar">
        <h2>{texts.result}</h2>
        <div class="choice">
          {[false, true].map((choice) => (
            <button type="button" class="small" aria-pressed={choice === isJson} onClick={() => setJson(choice)}>
              {choice ? texts.asJson : texts.asTable}
            </button>
          ))}
          <CopyButton text={json} />
        </div>
      </div>
      {notes.map((note) => (
        <Notice kind={result.exit_code === undefined ? 'plain' : 'bad'}>{note}</Notice>
      ))}
      {isJson ? <LongText text={json} /> : <Data result={result} />}
    </section>
  );
}

function Data({ result: { data, meta = {} } }: { readonly result: RunResult }) {
  if (data === null) return <Notice kind="good">{texts.done}</Notice>;
  if (Array.isArray(data) && data.every(isObject)) {
    return <Rows rows={data} {...meta} />;
  }
  if (isObject(data)) return <RecordView record={data} fields={meta.fields ?? Object.keys(data)} />;
  return <LongText text={cellText(data)} />;
}

interface RowsProps extends NonNullable<RunResult['meta']> {
  readonly rows: readonly JsonObject[];
}

function Rows({ rows, total = rows.length, columns = columnsOf(rows), empty }: RowsProps) {
  const shown = columns.map((name) => ({ name }));
  return <DataTable label={texts.asTable} columns={shown} rows={rows.slice(0, mostRows)} total={total} empty={empty} />;
}

function columnsOf(rows: readonly JsonObject[]): readonly string[] {
  return [...new Set(rows.flatMap((row) => Object.keys(row)))];
}

function RecordView({ record, fields }: { readonly record: JsonObject; readonly fields: readonly string[] }) {
  return (
    <dl class="record">
      {fields.map((name) => (
        <>
          <dt>{name}</dt>
          <dd>
            <RecordValue value={record[name] ?? null} />
          </dd>
        </>
      ))}
    </dl>
  );
}

function RecordValue({ value }: { readonly value: Json }) {
  if (Array.isArray(value) && value.length > 0 && value.every(isObject)) {
    return <Rows rows={value} />;
  }
  const text = isObject(value) ? JSON.stringify(value, null, 2) : cellText(value);
  return text.includes('\n') ? <LongText text={text} /> : text;
}

function FileView({ file }: { readonly file: Blob }) {
  return (
    <Notice kind="good">
      <button type="button" onClick={() => saveFile(file, 'output')}>
        {texts.file}: {file.size.toLocaleString()} B
      </button>
    </Notice>
  );
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
