/** Settings with their meaning, default and source, and the configuration of the process. */
import { useState } from 'preact/hooks';
import { CommandButton, Dialog } from '../action.js';
import type { JsonObject } from '../api.js';
import { Badge } from '../badge.js';
import { type Column, cellText, DataTable, Loaded, rowsOf } from '../data-table.js';
import { FilterBar, type FilterField, useFilter } from '../filter-bar.js';
import { ParameterField } from '../parameter-field.js';
import { ConfirmDialog, ErrorNotice, Notice } from '../parts.js';
import { useCommand } from '../site.js';
import { texts } from '../texts.js';
import { usePerform, useRun } from '../use-run.js';

export function SettingsTab() {
  const filter = useFilter();
  const [changing, setChanging] = useState<JsonObject | null>(null);
  const { words = '', show, api } = filter.values;
  const options = { ...(show !== undefined && { [show]: true }), ...(api !== undefined && { api }) };
  const reading = useRun('setting list', { options });
  const apis = useCommand('setting list')?.options.find(({ name }) => name === 'api')?.choices ?? [];
  const fields: readonly FilterField[] = [
    { name: 'words', title: texts.site.find },
    { name: 'api', title: texts.site.api, choices: apis.map((one) => [one, one]) },
    {
      name: 'show',
      title: texts.site.show,
      choices: [
        ['changed', texts.site.changedOnly],
        ['all', texts.site.foreignToo],
      ],
    },
  ];
  return (
    <>
      <h1>{texts.site.tabs.settings}</h1>
      <FilterBar label={texts.site.find} fields={fields} filter={filter} />
      <Loaded of={reading}>
        {({ data, meta, notes }) => (
          <>
            {notes.map((note) => (
              <Notice kind="bad">{note}</Notice>
            ))}
            <DataTable
              label={texts.site.tabs.settings}
              columns={settingColumns(setChanging, reading.reload)}
              rows={rowsOf(data).filter((row) => hasWords(row, words))}
              empty={meta?.empty}
            />
          </>
        )}
      </Loaded>
      {changing === null ? null : (
        <ChangeDialog
          setting={changing}
          close={(isDone) => {
            setChanging(null);
            if (isDone) reading.reload();
          }}
        />
      )}
      <Configuration />
    </>
  );
}

function hasWords({ key, description }: JsonObject, words: string): boolean {
  const text = `${key} ${description ?? ''}`.toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

function meaning(row: JsonObject, name: string) {
  return (
    <>
      <code>{String(row[name])}</code>
      {row['description'] === null ? null : <span class="help address">{String(row['description'])}</span>}
    </>
  );
}

function valueColumns(): readonly Column[] {
  const words = texts.site;
  return [
    { name: 'value', title: words.value, show: (row) => shown(row['value']) },
    { name: 'default', title: words.default, show: (row) => shown(row['default']) },
    {
      name: 'source',
      title: words.source,
      show: ({ source }) => <Badge kind={source === 'default' ? 'plain' : 'good'} text={sourceOf(String(source))} />,
    },
  ];
}

function sourceOf(source: string): string {
  const words: Readonly<Record<string, string>> = texts.site.sources;
  return words[source] ?? source;
}

function shown(value: JsonObject[string] | undefined): string {
  if (typeof value === 'boolean') return value ? texts.site.on : texts.site.off;
  return cellText(value ?? null);
}

function settingColumns(change: (row: JsonObject) => void, reload: () => void): readonly Column[] {
  return [
    { name: 'key', title: texts.site.setting, show: (row) => meaning(row, 'key') },
    ...valueColumns(),
    { name: 'actions', title: texts.site.actions, show: (row) => <SettingActions {...{ row, change, reload }} /> },
  ];
}

interface SettingActionsProps {
  readonly row: JsonObject;
  readonly change: (row: JsonObject) => void;
  readonly reload: () => void;
}

function SettingActions({ row, change, reload }: SettingActionsProps) {
  if (useCommand('setting set') === undefined || row['source'] === 'environment') return null;
  const given = { arguments: [String(row['key'])] };
  return (
    <div class="choice">
      <button type="button" class="small" onClick={() => change(row)}>
        {texts.site.change}
      </button>
      {row['source'] === 'database' && row['description'] !== null ? (
        <CommandButton path="setting unset" given={given} label={texts.site.reset} kind="small" onDone={reload} />
      ) : null}
    </div>
  );
}

interface ChangeDialogProps {
  readonly setting: JsonObject;
  readonly close: (isDone: boolean) => void;
}

/** The value by its type. */
function ChangeDialog({ setting, close }: ChangeDialogProps) {
  const { key, value: before, type, accepts, description, choices } = setting;
  const isSwitch = type === 'boolean';
  const [value, setValue] = useState(
    isSwitch ? (before === true ? 'on' : 'off') : Array.isArray(before) ? before.join(',') : String(before ?? ''),
  );
  const { perform, error, isRunning, question, answer } = usePerform('setting set', () => close(true));
  const parameter = {
    ...{
      name: 'value',
      label: texts.site.value,
      description: String(description ?? ''),
      required: false,
      repeatable: false,
    },
    ...({ kind: isSwitch || type === 'choice' ? 'choice' : 'text', placeholder: '', isOpen: false } as const),
    accepts: accepts === null || isSwitch ? null : String(accepts),
    choices: isSwitch ? ['on', 'off'] : type === 'choice' && Array.isArray(choices) ? choices.map(String) : [],
  };
  const problems = Object.values(error?.fields ?? {}).flat();
  return (
    <Dialog title={String(key)} close={() => close(false)}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          perform({ arguments: [String(key), value] });
        }}
      >
        <ParameterField
          parameter={parameter}
          value={value}
          problems={problems}
          change={(next) => setValue(String(next))}
        />
        <div class="actions">
          <button type="submit" class="primary" disabled={isRunning}>
            {texts.site.save}
          </button>
        </div>
      </form>
      {error === null || problems.length > 0 ? null : <ErrorNotice error={error} />}
      {question === null ? null : <ConfirmDialog text={question} answer={answer} />}
    </Dialog>
  );
}

/** Of the process: its file and environment are changed where it runs. */
function Configuration() {
  const columns = [
    { name: 'name', title: texts.site.setting, show: (row: JsonObject) => meaning(row, 'name') },
    ...valueColumns(),
  ];
  return (
    <>
      <h2 class="part">{texts.site.configuration}</h2>
      <p class="help">{texts.site.aboutConfiguration}</p>
      <Loaded of={useRun('config show')}>
        {({ data }) => <DataTable label={texts.site.configuration} columns={columns} rows={rowsOf(data)} />}
      </Loaded>
    </>
  );
}
