/** The form of an entry of `GET /meta/endpoints`. */
import { objectSchema, text } from '../../http/interface/endpoint.js';

export const listedEndpointSchema = objectSchema<object>({
  name: { ...text, examples: ['resources.list'] },
  methods: { type: 'array', items: { ...text, examples: ['GET'] } },
  path: { ...text, examples: ['/api/v1/resources'] },
  pattern: { ...text, description: 'The same as path', examples: ['/api/v1/resources'] },
  public: { type: 'boolean', description: 'Whether anonymous callers may use it' },
  permission: {
    type: ['string', 'null'],
    description: 'Scope that a key or token needs; null for none, and where the path decides',
    examples: ['resources.read'],
  },
  object: { type: ['string', 'null'], examples: ['resources'] },
  description: { ...text, examples: ['List resources'] },
  tags: { type: 'array', items: { ...text, examples: ['Resources'] } },
  parameters: {
    type: 'array',
    items: objectSchema<object>({
      name: { ...text, examples: ['limit'] },
      in: { ...text, enum: ['path', 'query', 'header'], examples: ['query'] },
      required: { type: 'boolean' },
      description: text,
      schema: { type: 'object', description: 'JSON Schema of the value' },
    }),
  },
});
