/** `hcd page new`: create the draft of a page with example data. */
import { listValue, textValue } from '../../src/config/value-type.js';
import { AppError, invalidField } from '../../src/errors/app-error.js';
import { saveDraft } from '../../src/pages/authoring/change-page.js';
import { loadSectionTypes } from '../../src/pages/authoring/section-types.js';
import { exampleData } from '../../src/pages/rules/example-data.js';
import { isHiddenType } from '../../src/pages/rules/section-type.js';
import { quoted } from '../../src/values/reading.js';
import { defineSiteCommand } from '../command.js';
import { required } from '../parameters.js';
import { authoringOf, missingNotes, pageName, pageParameter, pageResult } from './shared.js';

export const command = defineSiteCommand({
  description:
    'Creates the draft of a page with one section for each type, in the order of --sections, and with example data for the fields of each (hcd section-type list shows the types). Replace the examples with hcd page edit, then publish the page. A page that has a draft already is refused; with --yes its draft is replaced.',
  arguments: { id: pageParameter },
  options: {
    sections: required(listValue(textValue(), { min: 1, accepts: 'a comma list of section types such as hero,faq' }), {
      placeholder: 'TYPES',
      description: 'Section types of the page, separated by commas',
    }),
  },
  examples: {
    'page new 42 --sections hero,faq': 'Create a draft with two sections',
    'page new 42 --sections hero,cards,cards,cta --yes': 'Replace the draft of a page',
  },
  async run({ id, sections: keys }, deps) {
    const types = await loadSectionTypes(deps.store.own.primary);
    const sections = keys.map((key) => {
      const type = types.get(key);
      if (type !== undefined) return { type: key, data: exampleData(type.fields) };
      const known = [...types.values()].filter((one) => !isHiddenType(one)).map((one) => one.key);
      const problem = `${quoted(key)} is not a section type; accepted are ${known.join(', ')}`;
      throw invalidField('--sections', problem, `--sections: ${problem}`);
    });
    const document = { schemaVersion: 1, sections };
    // A page without a draft is at revision 0.
    const request = { resource: id, document, expected: deps.flags.yes ? null : 0, publish: false };
    const { page, missing } = await saveDraft(authoringOf(deps), request).catch((error: unknown) => {
      throw error instanceof AppError && error.code === 'conflict' ? hasDraft(id) : error;
    });
    const message = `Created the draft of ${pageName(page)} with example data. Edit it: hcd page edit ${id}`;
    return pageResult(page, message, missingNotes(missing, 'Required before it can be published:'));
  },
});

function hasDraft(id: number): AppError {
  const message = `The page of resource ${id} has a draft. Edit it: hcd page edit ${id}. Or replace it with --yes`;
  return new AppError('refused', { message });
}
