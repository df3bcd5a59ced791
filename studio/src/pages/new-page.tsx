/** A new page by its title, address, place and template; all other fields of a resource are folded. */
import { CommandDialog } from '../action.js';
import { isObject } from '../api.js';
import type { FieldView } from '../parameter-field.js';
import { linkTo } from '../route.js';
import { useTemplates } from '../site/resources-tab.js';
import { texts } from '../texts.js';
import { PageButton } from './pickers.js';

export function NewPage() {
  const templates = useTemplates();
  const { pagetitle, alias, aliasHelp, parent, template } = texts.writing.newFields;
  const known: Readonly<Record<string, Partial<FieldView>>> = {
    pagetitle: { title: pagetitle, description: '', placeholder: '', required: true },
    alias: { title: alias, description: aliasHelp, placeholder: '' },
    parent: {
      ...{ title: parent, description: '', placeholder: '' },
      beside: (change) => <PageButton choose={({ id }) => change(String(id))} />,
    },
    template: {
      ...{ title: template, description: '', kind: 'choice', isOpen: false },
      ...{ choices: templates.map(([id]) => id), choiceNames: new Map(templates) },
    },
  };
  return (
    <CommandDialog
      path="resource create"
      label={texts.writing.newPage}
      kind="small"
      first={Object.keys(known)}
      known={known}
      submit={texts.writing.create}
      onDone={({ data }) => {
        if (isObject(data)) location.hash = linkTo('pages', String(data['id']));
      }}
    />
  );
}
