/** The credentials of the sample site as lines for people and as members of the JSON result. */

import type { IssuedToken } from '../../src/identity/page-tokens/issue-token.js';
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
    ...(bannersKey === null ? [] : [`# Key of the banner API\nbanners_api_key: ${bannersKey}\n`]),
    ...(pageToken === null ? [] : [`# Token of the page API, for 30 days\npage_token: ${pageToken.token}\n`]),
    ...(credentials === null
      ? []
      : [
          `# Key of the gateway, for everything, for 30 days\nkey: ${credentials.key.key}\n`,
          `# User who may log in and write\nusername: ${credentials.user.username}\npassword: ${credentials.user.password}\n`,
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

/** Where to get what is not shown again. */
export function credentialNotes({ bannersKey, credentials, pageToken }: ShownCredentials): string[] {
  return [
    bannersKey === null
      ? 'The banner key is not shown again: hcd setting get banners_api_key --show-secret'
      : 'The banner key is shown now; later: hcd setting get banners_api_key --show-secret',
    ...(pageToken === null
      ? [
          'A new page token, for PAGES_TOKEN: hcd token create --scopes pages.read,catalog.read --name demo --expires 30d',
        ]
      : ['The page token is shown only now.']),
    ...(credentials === null
      ? [
          "Keys and passwords are shown once. A new key, for GATEWAY_KEY: hcd key create --scopes '*' --name demo --expires 30d",
          'A new password, for EDITOR_PASSWORD: hcd user passwd editor --generate',
        ]
      : ['The key of the gateway and the password are shown only now.']),
  ];
}
