/** `hcd element update`: update an element. */
import { openEditing } from '../../src/content/administration/edit-content.js';
import { updateElementByHand } from '../../src/content/administration/edit-elements.js';
import { defineCommand } from '../command.js';
import { checkChanges, wholeObject } from '../whole-object.js';
import { columnsOf, elementParameter, kindParameter, ruleNotes } from './shared.js';
import { bodyOf, writeParameters } from './write.js';

export const command = defineCommand({
  description:
    'Changes the given fields of an element and keeps the others. --tvs and --templates replace the whole list of joined elements; an empty one removes all. A category takes what is below it along. The key of a context cannot be changed.',
  arguments: { kind: kindParameter, element: elementParameter },
  options: writeParameters,
  examples: {
    'element update template Product --templatename Article --tvs price,photo,size':
      'Rename a template and set its variables',
    "element update tv color --elements 'Red==red||Blue==blue'": 'Change the choices of a template variable',
  },
  async run({ kind, element, ...flags }, deps) {
    const body = bodyOf(kind, flags, await wholeObject(flags, deps));
    checkChanges(body);
    const { env, clock, log } = deps;
    const editing = await openEditing((await deps.openSite()).store, { env, clock, log, ...flags });
    const record = await updateElementByHand(editing, { kind, idOrName: element, body });
    return { kind: 'record', record, fields: columnsOf(kind), notes: ruleNotes(body, record) };
  },
});
