/** Users, groups and rights of the sample site. Nobody has a usable password: an operator sets one where it is needed. */

export const groupIds = { administrators: 1, editors: 2, club: 3, trade: 4 } as const;
export const roleIds = { member: 1, superUser: 2, editor: 3, guide: 4 } as const;
export const resourceGroupIds = { members: 1, visitors: 2, trade: 3 } as const;

/** Policies that every own store has. */
export const policyIds = { resource: 1, administrator: 2, loadListView: 4, contentEditor: 7 } as const;

type Group = keyof typeof groupIds;
type Role = keyof typeof roleIds;

export interface SampleUser {
  readonly id: number;
  readonly name: string;
  readonly fullName: string;
  readonly city: string;
  readonly memberOf: readonly (readonly [group: Group, role: Role])[];
  readonly sudo?: true;
  readonly inactive?: true;
  readonly blocked?: true;
}

export const users: readonly SampleUser[] = [
  {
    id: 1,
    name: 'admin',
    fullName: 'Site Administrator',
    city: 'Larkfell',
    memberOf: [['administrators', 'superUser']],
    sudo: true,
  },
  {
    id: 2,
    name: 'rowan.hale',
    fullName: 'Rowan Hale',
    city: 'Larkfell',
    memberOf: [
      ['editors', 'editor'],
      ['club', 'member'],
    ],
  },
  {
    id: 3,
    name: 'imke.brandt',
    fullName: 'Imke Brandt',
    city: 'Zürich',
    memberOf: [
      ['editors', 'guide'],
      ['club', 'guide'],
    ],
  },
  { id: 4, name: 'jonas.lind', fullName: 'Jonas Lind', city: 'Åre', memberOf: [['club', 'guide']] },
  { id: 5, name: 'sara.okafor', fullName: 'Sara Okafor', city: 'Dublin', memberOf: [['club', 'member']] },
  { id: 6, name: 'lucja.wojcik', fullName: 'Łucja Wójcik', city: 'Łódź', memberOf: [['editors', 'editor']] },
  { id: 7, name: 'bergfreund', fullName: 'Bergfreund & Sohn', city: 'Innsbruck', memberOf: [['trade', 'member']] },
  {
    id: 8,
    name: 'former.member',
    fullName: 'Former Member',
    city: 'Kraków',
    memberOf: [['club', 'member']],
    inactive: true,
  },
  {
    id: 9,
    name: 'noisy.member',
    fullName: 'Noisy Member',
    city: 'Málaga',
    memberOf: [['club', 'member']],
    blocked: true,
  },
  { id: 10, name: 'guest.writer', fullName: 'Guest Writer', city: 'Reykjavík', memberOf: [] },
];

/** Everything below super user; 9999 includes every member. */
export const anyAuthority = 9999;
