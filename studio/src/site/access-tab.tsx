/** Keys, clients, tokens and previews: when they were used, making, rotating and ending them. */
import { CommandButton, CommandDialog } from '../action.js';
import type { JsonObject } from '../api.js';
import { ListView } from '../list-view.js';
import { texts } from '../texts.js';

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
              { name: 'actions', show: (row) => <Actions {...{ kind, row }} /> },
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

function Actions({ kind: { id, rotate, revoke }, row }: { readonly kind: Kind; readonly row: JsonObject }) {
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
