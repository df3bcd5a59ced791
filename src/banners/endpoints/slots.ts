/** Banners that a page shows now (docs/banners-tracking.md#slots). */

import { badParameter } from '../../errors/app-error.js';
import { type ApiModule, type ApiPolicy, mountAt } from '../../http/interface/api.js';
import {
  type Call,
  type Endpoint,
  objectSchema,
  type ParameterDoc,
  type Reply,
} from '../../http/interface/endpoint.js';
import { publicAddress, readCookie, setCookie } from '../../http/interface/request-headers.js';
import { checkEnabled, checkRoute } from '../../http/stages/checks.js';
import { daySeconds } from '../../values/dates.js';
import { derived } from '../../values/kept-values.js';
import { isIdText, largestUnsigned } from '../../values/unsigned.js';
import { listReply, renderBannersError } from '../http/envelope.js';
import {
  fieldsDoc,
  limitParameter,
  project,
  queryDoc,
  readChoice,
  readFields,
  readLimit,
  readText,
} from '../http/query.js';
import { listSchema } from '../http/schema.js';
import { contextForm } from '../rules/banner.js';
import { isTag, mostTags } from '../rules/field-types.js';
import { type Rotation, rotations } from '../rules/rotation.js';
import type { Moment } from '../rules/targeting.js';
import type { Placement } from '../tracking/placement-memory.js';
import type { Slot, SlotQuestion } from '../tracking/read-slot.js';

export interface SlotsDeps {
  readonly readSlot: (question: SlotQuestion) => Promise<Slot>;
  readonly moment: () => Moment;
  readonly settings: () => {
    readonly banners_click: string;
    readonly banners_impression: string;
    readonly banners_ab_ttl: number;
    readonly gateway_context: string;
    readonly banners_public_url: string;
  };
  readonly image: (banner: Placement['banner']) => string;
  readonly siteAddress: (context: string) => string | null;
}

const defaultLimit = 5;

const rowProperties = {
  id: { type: 'integer' },
  adposition: { type: 'integer' },
  position: { type: 'integer' },
  name: { type: 'string' },
  type: { enum: ['image', 'html'] },
  html: { type: ['string', 'null'] },
  image: { type: 'string' },
  description: { type: ['string', 'null'] },
  click_url: { type: ['string', 'null'] },
  impression_url: { type: 'string' },
  weight: { type: 'integer' },
};
const rowMembers = Object.keys(rowProperties);

const parameters: readonly ParameterDoc[] = [
  {
    name: 'position',
    in: 'path',
    description: 'Id or name of the position.',
    required: true,
    schema: { type: 'string' },
  },
  query('context', 'Context of the page; by default the one of gateway_context.', { type: 'string' }),
  query('resource', 'Id of the page.', idSchema()),
  query('parent', 'Id of a section that the page is in, besides those of its resource.', idSchema()),
  query('product', 'Id of the product that the page shows.', idSchema()),
  queryDoc({
    name: 'tags',
    list: true,
    description: 'Tags with commas between them; banners without a tag are left out then.',
    schema: { type: 'string' },
  }),
  query('tags_mode', 'Whether one of the tags is enough.', { type: 'string', enum: ['any', 'all'], default: 'any' }),
  limitParameter(defaultLimit),
  query('rotation', 'Order and choice.', { type: 'string', enum: rotations, default: 'random' }),
  fieldsDoc(rowMembers),
];

export function slotsEndpoint(deps: SlotsDeps, path = '/slots/:position'): Endpoint {
  return {
    name: 'listSlots',
    method: 'GET',
    path,
    access: { kind: 'public' },
    summary: 'Banners to show now',
    tags: ['Slots'],
    parameters,
    response: {
      status: 200,
      description: 'The banners in display order.',
      schema: listSchema(objectSchema(rowProperties)),
    },
    async handler(call): Promise<Reply> {
      const fields = readFields(call, rowMembers);
      const question = questionOf(call, deps);
      const { shown, remember } = await deps.readSlot(question);
      const address = publicAddress(call, {
        configured: deps.settings().banners_public_url,
        site: () => deps.siteAddress(question.context),
      });
      const data = shown.map((placement) => project(present(placement, address, deps), fields));
      const reply = listReply(data, data.length);
      if (remember === null) return reply;
      return { ...reply, headers: { ...reply.headers, 'Set-Cookie': rememberCookie(call, remember, deps) } };
    },
  };
}

function questionOf(call: Call, { moment, settings }: SlotsDeps): SlotQuestion {
  return {
    context: contextOf(call) ?? settings().gateway_context,
    resource: idOf(call, 'resource'),
    parent: idOf(call, 'parent'),
    product: idOf(call, 'product'),
    tags: tagsOf(call),
    tagsMode: readChoice(call, 'tags_mode', ['any', 'all']) ?? 'any',
    limit: readLimit(call, defaultLimit),
    rotation: readChoice<Rotation>(call, 'rotation', rotations) ?? 'random',
    position: call.params['position'] ?? '',
    moment: moment(),
    sticky(position) {
      const value = readCookie(call.header('cookie'), abCookie(position)) ?? '';
      return /^\d{1,10}$/.test(value) ? Number(value) : null;
    },
  };
}

/** An unknown context is not an error, which would reveal the contexts: no position belongs to it. */
function contextOf(call: Call): string | undefined {
  const context = readText(call, 'context');
  if (context === undefined || contextForm.test(context)) return context;
  throw badParameter('context', 'must be the key of a context');
}

function present({ link, banner, position }: Placement, address: string, { settings, image }: SlotsDeps) {
  const { banners_click, banners_impression } = settings();
  return {
    id: banner.id,
    adposition: link.id,
    position: position.id,
    name: banner.name,
    type: banner.type,
    html: banner.html,
    image: image(banner),
    description: banner.description,
    click_url: banner.url === '' ? null : `${address}/${banners_click}/${link.id}`,
    impression_url: `${address}/${banners_impression}/${link.id}`,
    weight: link.weight,
  };
}

function abCookie(position: number): string {
  return `banners_ab_${position}`;
}

function rememberCookie(
  call: Call,
  { position, link }: NonNullable<Slot['remember']>,
  { settings }: SlotsDeps,
): string {
  const maxAge = settings().banners_ab_ttl * daySeconds;
  return setCookie({ name: abCookie(position), value: String(link), secure: call.isSecure, maxAge });
}

function query(name: string, description: string, schema: ParameterDoc['schema']): ParameterDoc {
  return queryDoc({ name, description, schema });
}

function idSchema(): ParameterDoc['schema'] {
  return { type: 'integer', minimum: 1, maximum: largestUnsigned };
}

function idOf(call: Call, name: string): number | null {
  const text = readText(call, name);
  if (text === undefined) return null;
  if (!isIdText(text) || Number(text) > largestUnsigned) throw badParameter(name, 'must be the id of a resource');
  return Number(text);
}

function tagsOf(call: Call): readonly string[] {
  const text = readText(call, 'tags');
  if (text === undefined) return [];
  const tags = text.split(',').map((tag) => tag.trim());
  if (tags.length > mostTags || !tags.every(isTag)) {
    throw badParameter('tags', `must be at most ${mostTags} tags of a-z, 0-9, _ and - with commas between them`);
  }
  return tags;
}

const slotsBase = '/slots';

export function makeSlotsApi(deps: SlotsDeps & { readonly policy: () => ApiPolicy }): ApiModule {
  return {
    name: 'slots',
    endpoints: [slotsEndpoint(deps, '/:position')],
    checks: [checkEnabled(), checkRoute()],
    parameterProblem: 'bad_request',
    policy: derived(deps.policy, (policy) => ({ ...policy, mounts: [mountAt(slotsBase)] })),
    renderError: renderBannersError,
  };
}
