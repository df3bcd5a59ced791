/** The credentials of the sample site as lines for people and as members of the JSON result. */

import type { IssuedToken } from '../../src/identity/page-tokens/manage-tokens.js';
import type { SampleCredentials } from '../../src/operations/sample/sample-credentials.js';
import { issuedRecord } from '../key/key-record.js';
import type { JsonRecord } from '../result.js';

export interface ShownCredentials {
  readonly bannersKey: string | null;
  /** null: they were shown when the site was loaded. */
  readonly credentials: SampleCredentials | null;
  /** null: it was shown when the site was loaded. */
  readonly pageToken: IssuedToken | null;
}

/** Only what was made now, each under a heading. */
export function credentialText({ bannersKey, credentials, pageToken }: ShownCredentials): string {
  return [
    ...(bannersKey === null ? [] : [`# Key for the banner API\nbanners_api_key: ${bannersKey}\n`]),
    ...(pageToken === null ? [] : [`# Token for the page API, expires in 30 days\npage_token: ${pageToken.token}\n`]),
    ...(credentials === null
      ? []
      : [
          `# API key for the gateway (all scopes), expires in 30 days\nkey: ${credentials.key.key}\n`,
          `# User who can log in and edit\nusername: ${credentials.user.username}\npassword: ${credentials.user.password}\n`,
        ]),
  ].join('');
}

/** `key` as `hcd key create` shows it. */
export function credentialMembers({ bannersKey, credentials, pageToken }: ShownCredentials): JsonRecord {
  return {
    banners_api_key: bannersKey,
    page_token: pageToken?.token ?? null,
    key: credentials === null ? null : issuedRecord(credentials.key),
    user: credentials === null ? null : { ...credentials.user },
  };
}

/** How to show or replace each credential later. */
export function credentialNotes({ bannersKey, credentials, pageToken }: ShownCredentials): string[] {
  return [
    bannersKey === null
      ? 'To show the banner key: hcd setting get banners_api_key --show-secret'
      : 'To show the banner key again: hcd setting get banners_api_key --show-secret',
    ...(pageToken === null
      ? [
          'To create another page token, for PAGES_TOKEN: hcd token create --scopes pages.read,catalog.read --name demo --expires 30d',
        ]
      : ['Copy the page token now: it is not shown again.']),
    ...(credentials === null
      ? [
          "To create another key, for GATEWAY_KEY: hcd key create --scopes '*' --name demo --expires 30d",
          'To set a new password, for EDITOR_PASSWORD: hcd user passwd editor --generate',
        ]
      : ['Copy the API key and the password now: they are not shown again.']),
  ];
}
