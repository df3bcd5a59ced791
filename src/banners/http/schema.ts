/** JSON Schema of answers: objects whose members are all there, in the envelopes of the banner API. */

export type Schema = Readonly<Record<string, unknown>>;

export function objectSchema(properties: Readonly<Record<string, Schema>>): Schema {
  return { type: 'object', required: Object.keys(properties), properties };
}

export function dataSchema(data: Schema): Schema {
  return objectSchema({ success: { const: true }, data });
}

export function listSchema(items: Schema): Schema {
  return objectSchema({ success: { const: true }, data: { type: 'array', items }, total: { type: 'integer' } });
}
