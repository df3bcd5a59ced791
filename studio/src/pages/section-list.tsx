/** The sections of a page: opened, hidden, removed, put in another order, and new ones. */
import { useContext, useState } from 'preact/hooks';
import { RemoveButton } from '../inputs.js';
import { Button, DialogButton, Notice } from '../parts.js';
import { commandOf } from '../site.js';
import { Sortable } from '../sortable.js';
import { fill, texts } from '../texts.js';
import { Fields } from './fields.js';
import * as documents from './page-document.js';

type Section = documents.Section;

interface SectionListProps {
  readonly document: documents.PageDocument;
  readonly types: documents.Types;
  readonly resource: documents.ResourceView;
  readonly change: (document: documents.PageDocument) => void;
  readonly show: (id: string) => void;
}

export function SectionList({ document: page, types, resource, change, show }: SectionListProps) {
  const { sections, trash } = page;
  const t = texts.writing;
  const problems = Object.keys(useContext(documents.ProblemsContext));
  const [open, setOpen] = useState(sections.length <= 3 ? sections.map(({ id }) => id) : []);
  const labelOf = ({ type, data }: Section): string =>
    [types.get(type)?.label ?? type, documents.firstText(data)].filter((text) => text !== '').join(': ');
  const toggle = (id: string): void => {
    setOpen(open.includes(id) ? open.filter((one) => one !== id) : [...open, id]);
    if (!open.includes(id)) show(id);
  };
  const set = (next: readonly Section[]): void => change({ ...page, sections: next });
  const remove = (section: Section): void =>
    change({ ...page, sections: sections.filter(({ id }) => id !== section.id), trash: [section, ...trash] });
  const putBack = (section: Section): void =>
    change({ ...page, sections: [...sections, section], trash: trash.filter(({ id }) => id !== section.id) });
  const add = (section: Section): void => {
    toggle(section.id);
    set([...sections, section]);
  };
  return (
    <fieldset class="bare" disabled={commandOf('page edit') === undefined}>
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
              onFocusIn={() => show(id)}
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
                  <RemoveButton label={label} remove={() => remove(section)} />
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
            {documents.offeredTypes(types, resource).map((type) => (
              <li>
                <button
                  type="button"
                  onClick={() => {
                    close();
                    add(documents.newSection(type));
                  }}
                >
                  <b>{type.label}</b>{' '}
                  <span class="help">{type.definitions.map(({ label, name }) => label || name).join(', ')}</span>
                </button>
              </li>
            ))}
          </ul>
        )}
      </DialogButton>
      {trash.length > 0 && (
        <details>
          <summary>{fill(t.trash, trash.length)}</summary>
          {trash.map((section) => (
            <div class="file">
              <span class="grow">{labelOf(section)}</span>
              <Button label={t.putBack} kind="small" act={() => putBack(section)} />
            </div>
          ))}
        </details>
      )}
    </fieldset>
  );
}
