/** A new page by its title, address, place and template; all other fields of a resource are folded. */
import { CommandDialog } from '../action.js';
import { linkTo } from '../route.js';
import { useTemplates } from '../site/resources-tab.js';
import { texts } from '../texts.js';
import { recordOf, textOf, titleOf } from '../values.js';
import { pageOfSite } from './pickers.js';

export function NewPage() {
  const plain = (name: string) => ({ title: titleOf(name), description: '', placeholder: '' });
  const known = {
    pagetitle: { ...plain('pagetitle'), required: true },
    alias: { ...plain('alias'), description: texts.writing.aliasHelp },
    parent: { ...plain('parent'), control: pageOfSite },
    template: { ...plain('template'), kind: 'choice', isOpen: false, choices: useTemplates() },
  } as const;
  return (
    <CommandDialog
      path="resource create"
      label={texts.writing.newPage}
      kind="small"
      first={Object.keys(known)}
      known={known}
      submit={texts.create}
      onDone={({ data }) => {
        location.hash = linkTo('pages', textOf(recordOf(data)['id']));
      }}
    />
  );
}
