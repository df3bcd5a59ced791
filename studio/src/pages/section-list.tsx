/** The sections of a page: opened, hidden, removed, put in another order, and new ones. */
import { useContext, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { isAvailable } from '../../../src/pages/rules/section-type.js';
import { RemoveButton } from '../inputs.js';
import { Button, DialogButton, Notice } from '../parts.js';
import { commandOf } from '../site.js';
import { Sortable } from '../sortable.js';
import { fill, texts } from '../texts.js';
import { textOf } from '../values.js';
import type { Editor } from './draft-session.js';
import { Fields } from './fields.js';
import * as documents from './page-document.js';

type Section = documents.Section;

export function SectionList({ draft, types, resource, show }: Editor) {
  const { sections, trash } = draft.document;
  const t = texts.writing;
  const problems = Object.keys(useContext(documents.ProblemsContext));
  const [open, setOpen] = useState(sections.length <= 3 ? sections.map(({ id }) => id) : []);
  const list = useRef<HTMLFieldSetElement>(null);
  const added = useRef('');
  // The dialog has given the focus back to its button; one goes on in the section.
  useLayoutEffect(() => {
    if (sections.at(-1)?.id !== added.current) return;
    added.current = '';
    const card = list.current?.querySelector(':scope > .sortable > li:last-child');
    const field = card?.querySelector<HTMLElement>('.field input, .field textarea, .field select, .rich-text');
    (field ?? card?.querySelector<HTMLElement>('.opener'))?.focus();
  });
  const labelOf = ({ type, data }: Section): string =>
    [types.get(type)?.label ?? type, documents.firstText(data)].filter((text) => text !== '').join(': ');
  const toggle = (id: string): void => {
    setOpen(open.includes(id) ? open.filter((one) => one !== id) : [...open, id]);
    if (!open.includes(id)) show('draft', id);
  };
  const set = (next: readonly Section[], removed = trash): void =>
    draft.change({ ...draft.document, sections: next, trash: removed });
  const place = {
    ...{ id: Number(resource['id']), parent: Number(resource['parent']) },
    ...{ template: Number(resource['template']), context: textOf(resource['context_key']) },
  };
  const offered = [...types.values()].filter((type) => type.in_catalog && isAvailable(type, place));
  return (
    <fieldset ref={list} disabled={commandOf('page edit') === undefined}>
      {sections.length === 0 && <p>{t.noSections}</p>}
      <Sortable items={sections} keyOf={({ id }) => id} labelOf={labelOf} change={set}>
        {(section, at, handle) => {
          const path = `sections[${at}]`;
          const { id, enabled, data } = section;
          const label = labelOf(section);
          const type = types.get(section.type);
          const isWrong = problems.some((one) => documents.isBelow(one, path));
          const isShown = isWrong || open.includes(id);
          const put = (next: Partial<Section>): void => set(sections.with(at, { ...section, ...next }));
          const hide = enabled ? t.hide : t.unhide;
          return (
            <section
              class={`card${isWrong ? ' wrong-card' : ''}${enabled ? '' : ' off'}`}
              aria-label={label}
              onFocusIn={() => show('draft', id)}
            >
              <div class="bar">
                <span class="grip">
                  {handle}
                  <button type="button" class="opener" aria-expanded={isShown} onClick={() => toggle(id)}>
                    <b>{label}</b> {!enabled && <span class="help">{t.hidden}</span>}
                  </button>
                </span>
                <span class="choice">
                  <Button
                    {...{ label: hide, kind: 'small', 'aria-label': `${hide}: ${label}` }}
                    act={() => put({ enabled: !enabled })}
                  />
                  <RemoveButton label={label} remove={() => set(sections.toSpliced(at, 1), [section, ...trash])} />
                </span>
              </div>
              {isShown && type === undefined && <Notice kind="bad">{fill(t.unknownType, section.type)}</Notice>}
              {isShown && type !== undefined && (
                <Fields
                  {...{ fields: type.definitions, values: data, path: `${path}.data` }}
                  change={(next) => put({ data: next })}
                />
              )}
            </section>
          );
        }}
      </Sortable>
      <DialogButton label={t.addSection}>
        {(close) => (
          <ul class="found">
            {offered.map(({ key, label, definitions }) => (
              <li>
                <Button
                  act={() => {
                    close();
                    const id = documents.newId();
                    const data = documents.defaultsOf(definitions);
                    added.current = id;
                    toggle(id);
                    set([...sections, { id, type: key, enabled: true, data, settings: {} }]);
                  }}
                  label={
                    <>
                      <b>{label}</b>{' '}
                      <span class="help">{definitions.map((field) => field.label || field.name).join(', ')}</span>
                    </>
                  }
                />
              </li>
            ))}
          </ul>
        )}
      </DialogButton>
      {trash.length > 0 && (
        <details>
          <summary>{fill(t.trash, trash.length)}</summary>
          {trash.map((section, at) => (
            <div class="file">
              <span class="grow">{labelOf(section)}</span>
              <Button label={t.putBack} kind="small" act={() => set([...sections, section], trash.toSpliced(at, 1))} />
            </div>
          ))}
        </details>
      )}
    </fieldset>
  );
}
