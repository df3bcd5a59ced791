/** Credentials, settings and the audit log as lists. */
import { CommandButton, CommandDialog } from '../action.js';
import type { JsonObject } from '../api.js';
import { hasWords, ListView } from '../list-view.js';
import { fieldValue } from '../parameter-field.js';
import { Notice } from '../parts.js';
import { texts } from '../texts.js';
import { type Column, textOf } from '../values.js';

/** Commands of credentials: their group, what makes one, and what makes a new secret. */
const kinds = {
  keys: ['key', 'key create', 'key rotate'],
  clients: ['oauth client', 'oauth client add', 'oauth client rotate-secret'],
  accessTokens: ['oauth token'],
  tokens: ['token', 'token create'],
  previews: ['preview', 'resource preview'],
} as const;

export function AccessTab() {
  return (
    <>
      <h1>{texts.site.tabs.access}</h1>
      {Object.entries(kinds).map(([kind, [group, make, rotate]]) => {
        const label = texts.site.access[kind as keyof typeof kinds];
        return (
          <>
            <div class="bar">
              <h2>{label}</h2>
              {make && <CommandDialog path={make} kind="small" />}
            </div>
            <ListView
              {...{ path: `${group} list`, label, empty: texts.noneYet }}
              actions={(row) => actionsOf(row, [group, rotate])}
            />
          </>
        );
      })}
    </>
  );
}

function actionsOf(
  { state, token_id, client_id, id }: JsonObject,
  [group, rotate]: readonly [string, string | undefined],
) {
  if (state === 'revoked' || state === 'expired') return null;
  const words = [String(token_id ?? client_id ?? id)];
  return (
    <>
      {rotate && <CommandDialog {...{ path: rotate, words, label: texts.rotate, kind: 'small' }} />}
      <CommandButton path={`${group} revoke`} words={words} label={texts.site.revoke} kind="small" />
    </>
  );
}

const valueColumns = ['value', 'default', 'source'];

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
        columns={[named('key'), ...valueColumns]}
        actions={changesOf}
      >
        {({ notes }) => notes.map((note) => <Notice kind="bad">{note}</Notice>)}
      </ListView>
      <h2>{words.configuration}</h2>
      <p class="help">{words.aboutConfiguration}</p>
      <ListView path="config show" label={words.configuration} columns={[named('name'), ...valueColumns]} />
    </>
  );
}

function named(member: string): Column {
  const show = (row: JsonObject) => <code>{String(row[member])}</code>;
  return { name: 'setting', show, below: ({ description }) => textOf(description) };
}

function changesOf({ key, value, type, accepts, description, choices, source }: JsonObject) {
  if (source === 'environment') return null;
  const named = type === 'choice' && Array.isArray(choices) ? choices.map(String) : [];
  const offered = type === 'boolean' ? Object.entries(texts.yesNo) : named;
  return (
    <>
      <CommandDialog
        path="setting set"
        label={texts.change}
        title={String(key)}
        kind="small"
        words={[String(key)]}
        initial={{ VALUE: String(fieldValue(value)) }}
        groups={[{ names: ['VALUE'] }]}
        known={{
          VALUE: {
            ...{ label: String(key), description: textOf(description) },
            ...(offered.length > 0 ? { kind: 'choice', choices: offered } : { accepts: textOf(accepts) }),
          },
        }}
        submit={texts.save}
      />
      {source === 'database' && description !== null && (
        <CommandButton path="setting unset" words={[String(key)]} label={texts.site.reset} kind="small" />
      )}
    </>
  );
}

export function AuditTab() {
  const words = texts.site;
  return (
    <>
      <h1>{texts.site.tabs.audit}</h1>
      <ListView
        path="audit list"
        label={texts.site.tabs.audit}
        filters={['since', 'identity', 'method', 'status', 'request-id']}
      >
        {({ notes }) =>
          notes.length === 0 ? null : (
            <Notice kind="plain">
              <p>{words.auditOff}</p>
              <CommandButton path="setting set" words={['gateway_audit_enabled', '1']} label={words.auditOn} />
            </Notice>
          )
        }
      </ListView>
    </>
  );
}
