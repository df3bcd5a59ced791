/** Users of the content system; their profiles are in src/identity/models/users.ts. */
import { flag, id, integer, named, text, withDefaults } from '../../store/models/columns.js';
import { defineModel } from '../../store/models/model.js';

export const users = defineModel('users', {
  id: id(),
  ...withDefaults({
    username: text(100),
    hash: named('password', text(255)),
    /** A password that waits for confirmation. */
    cachepwd: text(255),
    /** The scheme of the hash, as a class name. */
    hashClass: text(100),
    salt: text(100),
    classKey: text(100),
    active: flag(),
    sudo: flag(),
    /** The group that the content system shows first; 0 = none. */
    primaryGroup: integer(),
    /** Unix seconds; 0 = not known. */
    createdOn: named('createdon', integer()),
  }),
});
