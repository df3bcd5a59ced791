/** The commands that write resources. Their flags are the fields that can be written, under their own names. */
import { refusal } from '../../src/config/value-type.js';
import { createResourceByHand } from '../../src/content/administration/edit-content.js';
import { resources } from '../../src/content/objects/core-objects.js';
import { isJsonObject } from '../../src/values/json.js';
import { defineCommand } from '../command.js';
import { anyText, optional, type Parameter, type Readable, repeated } from '../parameters.js';
import { notEmpty } from '../prompt.js';
import { changeResource, eventsParameter, openToEdit, resourceParameter, writtenRecord } from '../resource.js';
import { camelCase, checkChanges, wholeObject, wholeParameters } from '../whole-object.js';

/** Other commands delete and restore, which changes more than this one field. */
const written = Object.keys(resources.fields).filter(
  (name) => !resources.immutable.includes(name) && !resources.hidden.includes(name) && name !== 'deleted',
);

type TextFlags = Readonly<Record<string, Parameter<string | undefined>>>;

const tvAccepts = 'NAME=VALUE';
const tvValue: Readable<readonly [name: string, value: string]> = {
  kind: 'text',
  accepts: tvAccepts,
  parse(text) {
    const [, name, value = ''] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
    return name === undefined ? refusal(tvAccepts, text) : { ok: true, value: [name, value] };
  },
};

const fieldFlags: TextFlags = Object.fromEntries(
  written.map((name) => [
    camelCase(name),
    optional(anyText, { placeholder: placeholderOf(name), description: `Value of ${name}` }),
  ]),
);

/** Every field, template variables, and the whole record at once. */
const writeParameters = {
  ...wholeParameters('{"pagetitle": "News"}', 'Fields by name, and tvs; flags override them'),
  tv: repeated(tvValue, { placeholder: tvAccepts, description: 'Template variable to set' }),
  ...fieldFlags,
};

/** The values of all flags, by the name of the flag in camelCase. */
export type WriteFlags = Readonly<Record<string, unknown>> & {
  readonly data?: string | undefined;
  readonly file?: string | undefined;
  readonly tv: readonly (readonly [name: string, value: string])[];
};

/** The body as a client of the gateway would send it: the whole record first, single flags over it. */
function bodyOf(flags: WriteFlags, whole: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const fields = written.flatMap((name) => {
    const value = flags[camelCase(name)];
    return value === undefined ? [] : [[name, isNoTime(name, value) ? null : value] as const];
  });
  const { tvs } = whole;
  const named = Object.fromEntries(flags.tv);
  const together = flags.tv.length === 0 ? {} : { tvs: { ...(isJsonObject(tvs) ? tvs : {}), ...named } };
  return { ...whole, ...Object.fromEntries(fields), ...together };
}

/** The text null means that a time is not set. */
function isNoTime(name: string, value: unknown): boolean {
  return value === 'null' && resources.fields[name]?.type === 'datetime';
}

function placeholderOf(name: string): string {
  switch (resources.fields[name]?.type) {
    case 'integer':
      return 'N';
    case 'boolean':
      return 'FLAG';
    case 'datetime':
      return 'TIME';
    default:
      return 'TEXT';
  }
}

export const resourceCreate = defineCommand({
  description:
    'Creates a resource. The rules are those of the gateway: missing fields get the defaults of the content system, the alias is generated from the title, the URI from the alias and the place in the tree, and a URI that is in use is refused. pagetitle is required. Booleans are 1, 0, true or false. Times are ISO 8601 or Unix seconds.',
  options: { ...writeParameters, events: eventsParameter },
  examples: {
    'resource create --pagetitle News --parent 2 --published 1': 'Create a page under another page',
    'resource create --file page.json --tv color=blue --json': 'Create a page from a file and print it as JSON',
  },
  async run(flags, deps) {
    const given = bodyOf(flags, await wholeObject(flags, deps));
    // Before the database is opened: what is missing on the command line is wrong usage.
    const body =
      given['pagetitle'] === undefined
        ? {
            ...given,
            pagetitle: await deps.prompt.text({ message: 'Page title', flag: '--pagetitle', check: notEmpty }),
          }
        : given;
    const editing = await openToEdit(deps, flags);
    return writtenRecord(await createResourceByHand(editing, body));
  },
});

export const resourceUpdate = defineCommand({
  description:
    'Changes the given fields of a resource of any context and keeps the others. The rules are those of the gateway. A new alias, parent or context also moves all descendants. Booleans are 1, 0, true or false. Times are ISO 8601 or Unix seconds.',
  arguments: { id: resourceParameter },
  options: { ...writeParameters, events: eventsParameter },
  examples: {
    'resource update 42 --pagetitle "Old news" --menuindex 3': 'Change two fields',
    'resource update 42 --file changes.json --tv color=red': 'Change fields from a file and a template variable',
  },
  async run(flags, deps) {
    const body = bodyOf(flags, await wholeObject(flags, deps));
    checkChanges(body);
    return changeResource(flags, deps, body);
  },
});
