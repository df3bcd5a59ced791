/** POST /ads, POST /ads/from-template and PATCH /ads/{id}: the writes of this API (docs/banners.md#write). */

import type { Call, Endpoint, Reply } from '../../http/interface/endpoint.js';
import { bannerSchema } from '../http/banner-schema.js';
import { bannerWithCounters } from '../http/banner-with-counters.js';
import { bodyMembers } from '../http/body-members.js';
import { hasId, idOf, idParameter, type ManagementDeps, writeScope } from '../http/management-deps.js';
import { createBanner, createFromPreset, type WrittenBanner } from '../management/create-banner.js';
import { viewWritten } from '../management/read-banners.js';
import { updateBanner } from '../management/update-banner.js';
import { bannerSchema as bodySchema } from '../rules/banner-fields.js';

const username = 'rest-api';
const types = ['application/json'];
const writing = { access: { kind: 'scope', scope: writeScope }, object: null, tags: ['Banners'] } as const;

const fromTemplateSchema = {
  type: 'object',
  required: ['template_id'],
  additionalProperties: false,
  properties: {
    template_id: { type: 'integer', minimum: 1 },
    positions: { type: 'array', items: { type: 'integer', minimum: 1 } },
  },
};

export function adsWriteEndpoints(deps: ManagementDeps): readonly Endpoint[] {
  const { store } = deps;
  return [
    {
      ...writing,
      name: 'ads.create',
      method: 'POST',
      path: '/ads',
      summary: 'Create a banner',
      parameters: [],
      request: { types, required: true, schema: bodySchema(['name']) },
      response: { status: 201, description: 'The banner that was made.', schema: bannerSchema },
      handler: async (call) =>
        created(deps, {
          call,
          banner: await shown(deps, await createBanner(store, { body: bodyMembers(call), username })),
        }),
    },
    {
      ...writing,
      name: 'ads.create-from-template',
      method: 'POST',
      path: '/ads/from-template',
      summary: 'Create a banner with the name and values of a template',
      parameters: [],
      request: { types, required: true, schema: fromTemplateSchema },
      response: { status: 201, description: 'The banner that was made.', schema: bannerSchema },
      handler: async (call) =>
        created(deps, {
          call,
          banner: await shown(deps, await createFromPreset(store, { body: bodyMembers(call), username })),
        }),
    },
    {
      ...writing,
      name: 'ads.update',
      method: 'PATCH',
      path: '/ads/:id',
      exists: hasId,
      summary: 'Change a banner',
      parameters: [idParameter],
      request: { types, required: true, schema: bodySchema([]) },
      response: { status: 200, description: 'The banner as it is now.', schema: bannerSchema },
      async handler(call): Promise<Reply> {
        const written = await updateBanner(store, { id: idOf(call), body: bodyMembers(call), username });
        return reply(200, bannerWithCounters(await shown(deps, written)));
      },
    },
  ];
}

type Shown = Awaited<ReturnType<typeof viewWritten>>;

function shown({ store, images }: ManagementDeps, banner: WrittenBanner): Promise<Shown> {
  return viewWritten(store, { banner, images: images() });
}

interface Created {
  readonly call: Call;
  readonly banner: Shown;
}

function created({ settings }: ManagementDeps, { call, banner }: Created): Reply {
  const { status, body, caching } = reply(201, bannerWithCounters(banner));
  return {
    status,
    body,
    caching,
    headers: { Location: `${settings().banners_public_url}${call.base}?route=/ads/${banner.id}` },
  };
}

function reply(status: number, data: object): Reply {
  return { status, body: { kind: 'json', value: { success: true, data } }, caching: { kind: 'never' } };
}
