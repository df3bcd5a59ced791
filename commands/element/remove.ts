/** `hcd element remove`: remove an element. */
import { openEditing } from '../../src/content/administration/edit-content.js';
import { removeElementByHand } from '../../src/content/administration/edit-elements.js';
import { showElement } from '../../src/content/administration/show-element.js';
import { defineCommand } from '../command.js';
import { toggle } from '../parameters.js';
import { countOf } from '../terminal-text.js';
import { elementParameter, eventsParameter, kindParameter } from './shared.js';

export const command = defineCommand({
  description:
    'Removes an element permanently. One that is in use is refused, and its users are named: resources, templates, template variables, or texts with its tag. --force removes it anyway: resources lose their template or get the default content type, what is in a category moves into the category above, the values of a template variable are removed, and so are the resources and settings of a context. The contexts web and mgr, and the default content type and media source, stay.',
  arguments: { kind: kindParameter, element: elementParameter },
  options: { force: toggle('Remove it although it is in use'), events: eventsParameter },
  examples: {
    'element remove chunk head': 'Remove a chunk',
    'element remove tv price --force --yes': 'Remove a template variable with its values, without confirmation',
  },
  destructive: {},
  async run({ kind, element: idOrName, force, events }, deps) {
    const { env, clock, log } = deps;
    const editing = await openEditing((await deps.openSite()).store, { env, clock, log, events, trust: false });
    const record = await showElement(editing, { kind, idOrName });
    const name = `${kind.singular} ${record[kind.definition.primaryKey]} "${record[kind.nameField]}"`;
    await deps.confirm(`Remove ${name} permanently${force ? ', also if it is in use' : ''}?`);
    const { key, users } = await removeElementByHand(editing, { kind, idOrName, force });
    const used = users.length === 0 ? '' : ` It was used by ${countOf(users.length, 'record')}.`;
    const data = { [kind.definition.primaryKey]: key, removed: true, used_by: users };
    return { kind: 'done', message: `Removed ${name}.${used}`, data };
  },
});
