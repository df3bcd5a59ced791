/** Credentials, settings and the audit log as lists. */
import { CommandButton, CommandDialog } from '../action.js';
import type { JsonObject } from '../api.js';
import { hasWords } from '../filter-bar.js';
import { ListView } from '../list-view.js';
import { Notice } from '../parts.js';
import { texts } from '../texts.js';
import { Badge, type Columns, textOf, titleOf } from '../values.js';

interface Kind {
  readonly name: keyof typeof texts.site.access;
  /** Commands. */
  readonly list: string;
  readonly make?: string;
  readonly rotate?: string;
  readonly revoke: string;
  /** What names one of them to commands. */
  readonly id: string;
  readonly shown: readonly string[];
}

const kinds: readonly Kind[] = [
  {
    ...{ name: 'keys', list: 'key list', make: 'key create', rotate: 'key rotate', revoke: 'key revoke', id: 'id' },
    shown: ['scopes', 'user', 'state', 'expires_on', 'last_used_on'],
  },
  {
    ...{ name: 'clients', list: 'oauth client list', make: 'oauth client add' },
    ...{ rotate: 'oauth client rotate-secret', revoke: 'oauth client revoke', id: 'client_id' },
    shown: ['scopes', 'state', 'created_on', 'last_used_on'],
  },
  {
    ...{ name: 'accessTokens', list: 'oauth token list', revoke: 'oauth token revoke', id: 'token_id' },
    shown: ['scopes', 'user', 'state', 'expires_on', 'issued_on'],
  },
  {
    ...{ name: 'tokens', list: 'token list', make: 'token create', revoke: 'token revoke', id: 'id' },
    shown: ['scopes', 'state', 'expires', 'lastUsed'],
  },
  {
    ...{ name: 'previews', list: 'preview list', make: 'resource preview', revoke: 'preview revoke', id: 'id' },
    shown: ['context_key', 'state', 'expires_on', 'created_on'],
  },
];

export function AccessTab() {
  return (
    <>
      <h1>{texts.site.tabs.access}</h1>
      {kinds.map((kind) => (
        <>
          <div class="bar part">
            <h2>{texts.site.access[kind.name]}</h2>
            {kind.make === undefined ? null : <CommandDialog path={kind.make} kind="small" />}
          </div>
          <ListView
            path={kind.list}
            label={texts.site.access[kind.name]}
            columns={[
              { name: 'name', show: nameOf },
              ...kind.shown,
              { name: 'actions', show: (row) => <CredentialActions {...{ kind, row }} /> },
            ]}
            empty={texts.noneYet}
          />
        </>
      ))}
    </>
  );
}

function nameOf(row: JsonObject): string {
  const { name, resource_id, lookup_id, prefix, client_id } = row;
  return String(name ?? resource_id ?? lookup_id ?? prefix ?? client_id);
}

function CredentialActions({ kind: { id, rotate, revoke }, row }: { readonly kind: Kind; readonly row: JsonObject }) {
  if (row['state'] === 'revoked' || row['state'] === 'expired') return null;
  const own = String(row[id]);
  const label = id.toUpperCase();
  return (
    <div class="choice">
      {rotate === undefined ? null : (
        <CommandDialog
          path={rotate}
          label={texts.rotate}
          kind="small"
          initial={{ [label]: own }}
          hidden={[label]}
          submit={texts.rotate}
        />
      )}
      <CommandButton path={revoke} given={{ arguments: [own] }} label={texts.site.revoke} kind="small" />
    </div>
  );
}

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
          { name: 'actions', show: (row) => <SettingActions setting={row} /> },
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
function SettingActions({ setting }: { readonly setting: JsonObject }) {
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

const turnOn = { arguments: ['gateway_audit_enabled', '1'] };

const columns: Columns = [
  ...['created_on', 'identity', 'method'],
  { name: 'path', show: ({ path }) => <code class="address">{String(path)}</code> },
  {
    name: 'status',
    show: ({ status }) => <Badge kind={Number(status) < 400 ? 'good' : 'bad'} text={String(status)} />,
  },
  ...['duration_ms', 'request_id'],
];

export function AuditTab() {
  const words = texts.site.audit;
  return (
    <>
      <h1>{texts.site.tabs.audit}</h1>
      <ListView
        path="audit list"
        label={texts.site.tabs.audit}
        columns={columns}
        filters={['since', 'identity', 'method', 'status', 'request-id']}
      >
        {({ notes }) =>
          notes.length === 0 ? null : (
            <Notice kind="plain">
              <p>{words.isOff}</p>
              <CommandButton path="setting set" given={turnOn} label={words.turnOn} />
            </Notice>
          )
        }
      </ListView>
    </>
  );
}
