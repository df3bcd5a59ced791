/** The sections of a page: opened, hidden, removed, put in another order, and new ones. */
import { useContext, useState } from 'preact/hooks';
import { RemoveButton } from '../inputs.js';
import { DialogButton, Notice } from '../parts.js';
import { useCommand } from '../site.js';
import { Sortable } from '../sortable.js';
import { texts } from '../texts.js';
import { isBelow, ProblemsContext } from './editing.js';
import { Fields } from './fields.js';
import {
  firstText,
  newSection,
  offeredTypes,
  type PageDocument,
  type ResourceView,
  type Section,
  type Types,
} from './page-document.js';

interface SectionListProps {
  readonly document: PageDocument;
  readonly types: Types;
  readonly resource: ResourceView;
  readonly change: (document: PageDocument) => void;
  /** The section that one works on. */
  readonly show: (id: string) => void;
}

export function SectionList({ document: page, types, resource, change, show }: SectionListProps) {
  const { sections, trash } = page;
  const [open, setOpen] = useState<ReadonlySet<string>>(
    new Set(sections.length <= 3 ? sections.map(({ id }) => id) : []),
  );
  const labelOf = (section: Section): string => {
    const text = firstText(section.data);
    return `${types.get(section.type)?.label ?? section.type}${text === '' ? '' : `: ${text}`}`;
  };
  const toggle = (id: string, isOpen: boolean): void => {
    const next = new Set(open);
    if (isOpen) next.add(id);
    else next.delete(id);
    setOpen(next);
    if (isOpen) show(id);
  };
  const set = (next: readonly Section[]): void => change({ ...page, sections: next });
  const remove = (section: Section): void =>
    change({ ...page, sections: sections.filter(({ id }) => id !== section.id), trash: [section, ...trash] });
  const putBack = (section: Section): void =>
    change({ ...page, sections: [...sections, section], trash: trash.filter(({ id }) => id !== section.id) });
  const add = (section: Section): void => {
    setOpen(new Set([...open, section.id]));
    set([...sections, section]);
    show(section.id);
  };
  return (
    <fieldset class="bare" disabled={useCommand('page edit') === undefined}>
      {sections.length === 0 ? <p>{texts.writing.noSections}</p> : null}
      <Sortable items={sections} keyOf={({ id }) => id} labelOf={labelOf} change={set}>
        {(section, at, handle) => (
          <SectionCard
            {...{ section, at, handle, labelOf, types, show }}
            isOpen={open.has(section.id)}
            toggle={(isOpen) => toggle(section.id, isOpen)}
            change={(next) => set(sections.with(at, next))}
            remove={() => remove(section)}
          />
        )}
      </Sortable>
      <DialogButton label={texts.writing.addSection}>
        {(close) => (
          <ul class="found">
            {offeredTypes(types, resource).map((type) => (
              <li>
                <button
                  type="button"
                  onClick={() => {
                    close();
                    add(newSection(type));
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
      {trash.length === 0 ? null : (
        <details>
          <summary>{texts.writing.trash(trash.length)}</summary>
          {trash.map((section) => (
            <div class="file">
              <span class="grow">{labelOf(section)}</span>
              <button type="button" class="small" onClick={() => putBack(section)}>
                {texts.writing.putBack}
              </button>
            </div>
          ))}
        </details>
      )}
    </fieldset>
  );
}

interface SectionCardProps {
  readonly section: Section;
  readonly at: number;
  readonly handle: preact.ComponentChildren;
  readonly labelOf: (section: Section) => string;
  readonly types: Types;
  readonly isOpen: boolean;
  readonly toggle: (isOpen: boolean) => void;
  readonly change: (section: Section) => void;
  readonly remove: () => void;
  readonly show: (id: string) => void;
}

function SectionCard({ section, at, handle, labelOf, types, isOpen, toggle, change, remove, show }: SectionCardProps) {
  const problems = useContext(ProblemsContext);
  const path = `sections[${at}]`;
  const isWrong = Object.keys(problems).some((one) => isBelow(one, path));
  const type = types.get(section.type);
  const label = labelOf(section);
  const isShown = isOpen || isWrong;
  return (
    <section
      class={`card${isWrong ? ' wrong-card' : ''}${section.enabled ? '' : ' off'}`}
      aria-label={label}
      onFocusIn={() => show(section.id)}
    >
      <div class="bar">
        <span class="grip">
          {handle}
          <button type="button" class="opener" aria-expanded={isShown} onClick={() => toggle(!isOpen)}>
            <b>{label}</b>
            {section.enabled ? null : <span class="help"> {texts.writing.hidden}</span>}
          </button>
        </span>
        <span class="choice">
          <button
            type="button"
            class="small"
            aria-label={`${section.enabled ? texts.writing.hide : texts.writing.unhide}: ${label}`}
            onClick={() => change({ ...section, enabled: !section.enabled })}
          >
            {section.enabled ? texts.writing.hide : texts.writing.unhide}
          </button>
          <RemoveButton {...{ label, remove }} />
        </span>
      </div>
      {isShown && type === undefined ? <Notice kind="bad">{texts.writing.unknownType(section.type)}</Notice> : null}
      {isShown && type !== undefined ? (
        <Fields
          fields={type.definitions}
          values={section.data}
          path={`${path}.data`}
          change={(data) => change({ ...section, data })}
        />
      ) : null}
    </section>
  );
}
