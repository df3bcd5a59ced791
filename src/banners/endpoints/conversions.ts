/** POST /conversions: attributes an order to a click (docs/banners-tracking.md#orders). */
import { Problems } from '../../errors/app-error.js';
import { type Call, type Endpoint, objectSchema, type Reply } from '../../http/interface/endpoint.js';
import { largestUnsigned } from '../../values/unsigned.js';
import { writeScope } from '../http/checks.js';
import { bodyMembers } from '../http/query.js';
import { dataSchema } from '../http/schema.js';
import type { Attached, Conversion } from '../tracking/attach-conversion.js';

export interface ConversionsDeps {
  readonly attachConversion: (conversion: Conversion) => Promise<Attached>;
}

const longestOrderId = 64;
const fields = ['click_id', 'order_id'];

export function conversionsEndpoint({ attachConversion }: ConversionsDeps): Endpoint {
  return {
    name: 'createConversion',
    method: 'POST',
    path: '/conversions',
    access: { kind: 'scope', scope: writeScope },
    summary: 'Attribute an order to a click',
    tags: ['Tracking'],
    parameters: [],
    request: {
      types: ['application/json'],
      required: true,
      schema: {
        type: 'object',
        required: fields,
        additionalProperties: false,
        properties: {
          click_id: {
            description: 'The value of the cookie banners_click_id, or as a number the id of a click.',
            oneOf: [{ type: 'string' }, { type: 'integer', minimum: 1 }],
          },
          order_id: {
            description: 'Id of the order; the last order of a click counts.',
            oneOf: [
              { type: 'string', minLength: 1, maxLength: longestOrderId },
              { type: 'integer', minimum: 1 },
            ],
          },
        },
      },
    },
    response: {
      status: 201,
      description: 'The conversion; 200 if it replaces an earlier order of the click.',
      repeatedStatus: 200,
      schema: dataSchema(
        objectSchema({
          ...{ click_id: { type: 'integer', minimum: 1 }, order_id: { type: 'string' } },
          ...{ ad_id: { type: 'integer', minimum: 1 }, position_id: { type: 'integer', minimum: 1 } },
        }),
      ),
    },
    async handler(call): Promise<Reply> {
      const conversion = readConversion(call);
      const { id, ad, position, isFirst } = await attachConversion(conversion);
      const data = { click_id: id, order_id: conversion.orderId, ad_id: ad, position_id: position };
      return {
        status: isFirst ? 201 : 200,
        body: { kind: 'json', value: { success: true, data } },
        caching: { kind: 'never' },
      };
    },
  };
}

/** Throws validation_failed with every problem of the body. */
function readConversion(call: Call): Conversion {
  const problems = new Problems('validation failed');
  const given = new Map<string, unknown>(Object.entries(bodyMembers(call)));
  for (const name of given.keys()) {
    if (!fields.includes(name)) problems.add(name, `is not accepted here; the fields are ${fields.join(', ')}`);
  }
  const click = readClick(given.get('click_id'));
  if (click === null) {
    // An id as text could be another visitor's click that was written into the cookie.
    problems.add(
      'click_id',
      'must be the value of the cookie banners_click_id as it was sent, or the id of a click as a number',
    );
  }
  const orderId = readOrderId(given.get('order_id'));
  if (orderId === null) {
    problems.add('order_id', `must be a text of 1 to ${longestOrderId} characters, or a positive number`);
  }
  problems.throwIfAny();
  return { click: click ?? 0, orderId: orderId ?? '' };
}

function readClick(value: unknown): number | string | null {
  if (typeof value === 'number') return Number.isInteger(value) && value > 0 && value <= largestUnsigned ? value : null;
  return typeof value === 'string' && value.includes('.') && value.length <= 200 ? value : null;
}

function readOrderId(value: unknown): string | null {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value > 0 ? String(value) : null;
  if (typeof value !== 'string') return null;
  const text = value.trim();
  const isShown = !/[\p{Cc}\p{Cs}]/u.test(text);
  return text !== '' && isShown && [...text].length <= longestOrderId ? text : null;
}
