/** Prints what linters call an error in OpenAPI documents, as JSON by file: `node lint-documents.mjs FILE...`. */
import { readFile } from 'node:fs/promises';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectralCore from '@stoplight/spectral-core';
import rulesets from '@stoplight/spectral-rulesets';

/** Redocly only warns of these. */
const asErrors = Object.fromEntries(
  ['parameter', 'schema', 'media-type'].map((what) => [`no-invalid-${what}-examples`, 'error']),
);

async function errorsOf(document) {
  const spectral = new spectralCore.Spectral();
  spectral.setRuleset({ extends: [rulesets.oas] });
  const found = await spectral.run(document);
  const config = await createConfig({ extends: ['recommended'], rules: { 'info-license': 'error', ...asErrors } });
  const problems = await lintFromString({ source: document, config });
  return [
    ...found.filter(({ severity }) => severity === 0).map(({ path, message }) => `${path.join('/')}: ${message}`),
    ...problems
      .filter(({ severity }) => severity === 'error')
      .map(({ location, message }) => `${location[0].pointer}: ${message}`),
  ];
}

const errors = {};
for (const file of process.argv.slice(2)) errors[file] = await errorsOf(await readFile(file, 'utf8'));
process.stdout.write(JSON.stringify(errors));
