/** `hcd element create`: create an element. */
import { listContent } from '../../src/content/administration/browse-content.js';
import { type Editing, openEditing } from '../../src/content/administration/edit-content.js';
import { createElementByHand } from '../../src/content/administration/edit-elements.js';
import type { ElementKind } from '../../src/content/elements/element-kinds.js';
import { tvTypes } from '../../src/content/rules/tv-types.js';
import { defineCommand } from '../command.js';
import { listIntent } from '../content/list-records.js';
import type { Deps } from '../deps.js';
import { anyText, optional } from '../parameters.js';
import { notEmpty } from '../prompt.js';
import { type Members, wholeObject } from '../whole-object.js';
import { columnsOf, kindParameter, ruleNotes } from './shared.js';
import { bodyOf, writeParameters } from './write.js';

export const command = defineCommand({
  description:
    'Creates a context, category, template, template variable (tvs), chunk, snippet, content type or media source, with the rows that the content system gives a new one. Flags are fields, and each kind has its own: hcd element show prints them. Categories, templates and template variables are given by id or name. On a terminal the command asks for the name, and for the type and templates of a template variable.',
  arguments: {
    kind: kindParameter,
    element: optional(anyText, { placeholder: 'NAME', description: 'Name of the element, or key of the context' }),
  },
  options: writeParameters,
  examples: {
    'element create template Product --category Shop --tvs price,photo': 'Create a template with two variables',
    'element create tv price --type number --templates Product --input-properties \'{"minValue": 0, "maxValue": 500}\'':
      'Create a template variable with a rule',
    'element create chunk head --file chunk.json --json': 'Create a chunk from a file and print it as JSON',
  },
  async run({ kind, element, ...flags }, deps) {
    const given = bodyOf(kind, flags, await wholeObject(flags, deps));
    const name = element ?? given[kind.nameField];
    const named: Members = {
      ...given,
      [kind.nameField]: name ?? (await deps.prompt.text({ message: 'Name', flag: 'NAME', check: notEmpty })),
    };
    const { env, clock, log } = deps;
    const editing = await openEditing((await deps.openSite()).store, { env, clock, log, ...flags });
    const body = kind.object === 'tvs' ? await askVariable(editing, deps, named) : named;
    const record = await createElementByHand(editing, kind, body);
    return {
      kind: 'record',
      record,
      fields: columnsOf(kind),
      notes: [...ruleNotes(body, record), ...next(kind, record)],
    };
  },
});

/** Without a terminal a variable is a text of no template. */
async function askVariable(editing: Editing, { prompt }: Deps, body: Members): Promise<Members> {
  if (!prompt.isInteractive) return body;
  const { type, templates } = body;
  const asked = type ?? (await prompt.choose({ message: 'Type', flag: '--type', choices: tvTypes, default: 'text' }));
  if (templates !== undefined) return { ...body, type: asked };
  const { rows } = await listContent(editing, { object: 'templates', intent: listIntent({ filter: [], limit: 1000 }) });
  const choices = rows.map(({ record }) => String(record['templatename']));
  const question = { message: 'Templates that have it', flag: '--templates', choices };
  return { ...body, type: asked, templates: choices.length === 0 ? [] : await prompt.chooseMany(question) };
}

function next({ object }: ElementKind, { id, key, templates }: Members): readonly string[] {
  if (object === 'templates') return [`To create a page with it: hcd resource create --template ${id}`];
  if (object === 'tvs' && Array.isArray(templates) && templates.length === 0) {
    return [`No template has it yet: hcd element update tv ${id} --templates NAME`];
  }
  if (object === 'contexts') return [`The gateway serves a context that gateway_allowed_contexts names: add ${key}`];
  return [];
}
