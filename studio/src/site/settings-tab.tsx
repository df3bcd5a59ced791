/** Settings with their meaning, default and source, and the configuration of the process. */
import { CommandButton, CommandDialog } from '../action.js';
import type { JsonObject } from '../api.js';
import { hasWords } from '../filter-bar.js';
import { ListView } from '../list-view.js';
import { Notice } from '../parts.js';
import { texts } from '../texts.js';
import { Badge, type Columns, textOf, titleOf } from '../values.js';

const valueColumns: Columns = [
  { name: 'value', show: ({ value }) => valueText(value) },
  { name: 'default', show: (row) => valueText(row['default']) },
  {
    name: 'source',
    show: ({ source }) => (
      <Badge kind={source === 'default' ? 'plain' : 'good'} text={texts.site.sources[String(source)] ?? ''} />
    ),
  },
];

export function SettingsTab() {
  const words = texts.site;
  return (
    <>
      <h1>{words.tabs.settings}</h1>
      <ListView
        path="setting list"
        label={words.tabs.settings}
        filters={[
          { name: 'words', title: texts.find },
          'api',
          { name: 'show', title: words.show, choices: Object.entries(words.shown) },
        ]}
        ask={({ api, show }) => ({ ...(show !== undefined && { [show]: true }), ...(api !== undefined && { api }) })}
        has={({ key, description }, { words: typed = '' }) => hasWords(`${key} ${description ?? ''}`, typed)}
        columns={[
          { name: 'setting', show: (row) => meaning(row, 'key') },
          ...valueColumns,
          { name: 'actions', show: (row) => <Actions setting={row} /> },
        ]}
      >
        {({ notes }) => notes.map((note) => <Notice kind="bad">{note}</Notice>)}
      </ListView>
      <h2 class="part">{words.configuration}</h2>
      <p class="help">{words.aboutConfiguration}</p>
      <ListView
        path="config show"
        label={words.configuration}
        columns={[{ name: 'setting', show: (row) => meaning(row, 'name') }, ...valueColumns]}
      />
    </>
  );
}

function meaning(row: JsonObject, name: string) {
  return (
    <>
      <code>{String(row[name])}</code>
      {row['description'] === null ? null : <span class="help address">{String(row['description'])}</span>}
    </>
  );
}

function valueText(value: JsonObject[string] | undefined): string {
  if (typeof value === 'boolean') return value ? texts.on : texts.off;
  return textOf(value);
}

/** The value is given by its type. */
function Actions({ setting }: { readonly setting: JsonObject }) {
  const { key, value, type, accepts, description, choices, source } = setting;
  if (source === 'environment') return null;
  const isSwitch = type === 'boolean';
  const isChoice = isSwitch || type === 'choice';
  const list = Array.isArray(choices) ? choices.map(String) : [];
  return (
    <div class="choice">
      <CommandDialog
        path="setting set"
        label={texts.change}
        title={String(key)}
        kind="small"
        initial={{
          KEY: String(key),
          VALUE: isSwitch ? (value === true ? 'on' : 'off') : Array.isArray(value) ? value.join(',') : textOf(value),
        }}
        hidden={['KEY', 'context', 'force']}
        known={{
          VALUE: {
            ...{ label: String(key), title: titleOf('value') },
            ...{ description: textOf(description), accepts: accepts === null || isSwitch ? null : String(accepts) },
            ...(isChoice && { kind: 'choice', isOpen: false }),
            ...{ placeholder: '', choices: isSwitch ? ['on', 'off'] : isChoice ? list : [] },
          },
        }}
        submit={texts.save}
      />
      {source === 'database' && description !== null ? (
        <CommandButton
          path="setting unset"
          given={{ arguments: [String(key)] }}
          label={texts.site.reset}
          kind="small"
        />
      ) : null}
    </div>
  );
}
