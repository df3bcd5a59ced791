/** Keys, clients, tokens and previews: when they were used, making, rotating and ending them. */
import { useState } from 'preact/hooks';
import { CommandButton, CommandDialog, SecretNotice } from '../action.js';
import type { JsonObject, RunResult } from '../api.js';
import { Badge } from '../badge.js';
import { type Column, cellText, DataTable, Loaded, rowsOf } from '../data-table.js';
import { Moment } from '../moment.js';
import { secretOf } from '../secret.js';
import { texts } from '../texts.js';
import { useRun } from '../use-run.js';

interface Kind {
  readonly name: keyof typeof texts.site.access;
  readonly list: string;
  /** What names one of them to commands. */
  readonly id: string;
  readonly make?: string;
  readonly rotate?: string;
  readonly revoke: string;
  /** Members with a time, by title. */
  readonly times: Readonly<Partial<Record<'expires' | 'lastUsed' | 'created', string>>>;
  readonly shown: readonly string[];
}

const kinds: readonly Kind[] = [
  {
    ...{ name: 'keys', list: 'key list', id: 'id', make: 'key create', rotate: 'key rotate', revoke: 'key revoke' },
    ...{ shown: ['name', 'scopes', 'user'], times: { expires: 'expires_on', lastUsed: 'last_used_on' } },
  },
  {
    ...{ name: 'clients', list: 'oauth client list', id: 'client_id', make: 'oauth client add' },
    ...{ rotate: 'oauth client rotate-secret', revoke: 'oauth client revoke' },
    ...{ shown: ['name', 'scopes'], times: { created: 'created_on', lastUsed: 'last_used_on' } },
  },
  {
    ...{ name: 'accessTokens', list: 'oauth token list', id: 'token_id', revoke: 'oauth token revoke' },
    ...{ shown: ['client_id', 'scopes', 'user'], times: { expires: 'expires_on', created: 'issued_on' } },
  },
  {
    ...{ name: 'tokens', list: 'token list', id: 'id', make: 'token create', revoke: 'token revoke' },
    ...{ shown: ['name', 'scopes'], times: { expires: 'expires', lastUsed: 'lastUsed' } },
  },
  {
    ...{ name: 'previews', list: 'preview list', id: 'id', make: 'resource preview', revoke: 'preview revoke' },
    ...{ shown: ['resource_id', 'context_key'], times: { expires: 'expires_on', created: 'created_on' } },
  },
];

export function AccessTab() {
  return (
    <>
      <h1>{texts.site.tabs.access}</h1>
      {kinds.map((kind) => (
        <Credentials kind={kind} />
      ))}
    </>
  );
}

function Credentials({ kind }: { readonly kind: Kind }) {
  const [secret, setSecret] = useState<string | null>(null);
  const reading = useRun(kind.list);
  const title = texts.site.access[kind.name];
  const done = (result: RunResult): void => {
    setSecret(secretOf(result));
    reading.reload();
  };
  return (
    <>
      <div class="bar part">
        <h2>{title}</h2>
        {kind.make === undefined ? null : (
          <CommandDialog path={kind.make} label={texts.site.make[kind.name]} kind="small" onDone={done} />
        )}
      </div>
      {secret === null ? null : <SecretNotice secret={secret} />}
      <Loaded of={reading}>
        {({ data, meta }) => (
          <DataTable label={title} columns={columnsOf(kind, done)} rows={rowsOf(data)} empty={meta?.empty} />
        )}
      </Loaded>
    </>
  );
}

function columnsOf(kind: Kind, done: (result: RunResult) => void): readonly Column[] {
  const words: Readonly<Record<string, string>> = texts.site.members;
  const times = Object.entries(kind.times).map(([title, name]) => ({
    name,
    title: words[title] ?? title,
    show: (row: JsonObject) => (row[name] === null ? texts.site.never : <Moment at={row[name]} />),
  }));
  return [
    ...kind.shown.map((name) => ({ name, title: words[name] ?? name, show: (row: JsonObject) => nameOf(row, name) })),
    { name: 'state', title: texts.site.state, show: (row) => <State state={String(row['state'])} /> },
    ...times,
    { name: 'actions', title: texts.site.actions, show: (row) => <Actions {...{ kind, row, done }} /> },
  ];
}

function nameOf(row: JsonObject, name: string): string {
  if (name === 'name') return String(row['name'] ?? row['lookup_id'] ?? row['prefix'] ?? row['client_id']);
  return cellText(row[name] ?? null);
}

function State({ state }: { readonly state: string }) {
  const words: Readonly<Record<string, string>> = texts.site.states;
  return (
    <Badge
      kind={state === 'active' ? 'good' : state === 'expires_soon' ? 'bad' : 'plain'}
      text={words[state] ?? state}
    />
  );
}

interface ActionsProps {
  readonly kind: Kind;
  readonly row: JsonObject;
  readonly done: (result: RunResult) => void;
}

function Actions({ kind: { id, rotate, revoke }, row, done }: ActionsProps) {
  if (row['state'] === 'revoked' || row['state'] === 'expired') return null;
  const own = String(row[id]);
  const label = id === 'client_id' ? 'CLIENT_ID' : 'ID';
  return (
    <div class="choice">
      {rotate === undefined ? null : (
        <CommandDialog
          path={rotate}
          label={texts.site.rotate}
          kind="small"
          initial={{ [label]: own }}
          hidden={[label]}
          onDone={done}
        />
      )}
      <CommandButton path={revoke} given={{ arguments: [own] }} label={texts.site.revoke} kind="small" onDone={done} />
    </div>
  );
}
