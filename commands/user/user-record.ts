/** Users as records; passwords are in none of them. */
import { timeValue } from '../../src/config/time-values.js';
import type { UserView } from '../../src/identity/users/user-view.js';
import type { JsonRecord } from '../result.js';

export function userRecord(user: UserView): JsonRecord {
  return {
    id: user.id,
    username: user.username,
    fullname: user.fullName,
    email: user.email,
    state: user.state,
    sudo: user.sudo,
    groups: user.groups,
    permissions: user.permissions,
    last_login_on: isoTime(user.lastLogIn),
    created_on: isoTime(user.createdOn),
  };
}

/** Unix seconds as `2026-11-21T09:30:00Z`; 0 is a time that is not set. */
function isoTime(seconds: number): string | null {
  return seconds === 0 ? null : timeValue.format(seconds);
}
