/** What the tests ask of an OpenAPI document: its operations, and whether it is valid. */
import { Validator } from '@seriousme/openapi-schema-validator';
import { documentMethods, type OpenApiDocument } from '../../../src/http/interface/openapi.js';

export interface FoundOperation {
  readonly route: string;
  readonly id: string;
}

/** All operations as `METHOD /path` with their ids. */
export function operationsOf(document: OpenApiDocument): FoundOperation[] {
  return Object.entries(document.paths).flatMap(([route, item]) =>
    documentMethods.flatMap((method) => {
      const operation = item[method];
      return operation ? [{ route: `${method.toUpperCase()} ${route}`, id: operation.operationId }] : [];
    }),
  );
}

/** The verdict of an independent validator. */
export async function validate(document: unknown): Promise<unknown> {
  const { valid, errors } = await new Validator().validate(JSON.parse(JSON.stringify(document)));
  return { valid, errors };
}
