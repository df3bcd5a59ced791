/** A resource: its fields and template variables as a form, each by its type. */
import { CommandButton } from '../action.js';
import type { Json, JsonObject, RunResult } from '../api.js';
import { CommandForm, useDraft } from '../command-form.js';
import { Loaded, rowsOf } from '../data-table.js';
import { linkTo } from '../route.js';
import { useCommand } from '../site.js';
import { texts } from '../texts.js';
import { useRun } from '../use-run.js';
import { recordOf, State, textOf } from '../values.js';
import { resourceFlags, resourceGroups, storedFields } from './resource-fields.js';
import { stateOf, useContexts, useTemplates } from './resources-tab.js';

/** `new` is one that is not there yet. */
export function ResourcePage({ id }: { readonly id: string }) {
  const isNew = id === 'new';
  const reading = useRun(isNew ? null : 'resource show', { arguments: [id], options: { tvs: true } });
  return (
    <>
      <a href={linkTo('site', 'resources')}>← {texts.site.tabs.resources}</a>
      {isNew ? (
        <>
          <h1>{texts.site.resource.create}</h1>
          <ResourceForm
            record={{}}
            saved={({ data }) => {
              location.hash = linkTo('site', 'resources', textOf(recordOf(data)['id']));
            }}
          />
        </>
      ) : (
        <Loaded of={reading}>
          {({ data }) => {
            const record = recordOf(data);
            return (
              <>
                <h1>
                  {textOf(record['pagetitle'])} <State of={stateOf(record)} />
                </h1>
                <Actions record={record} />
                <ResourceForm record={record} />
              </>
            );
          }}
        </Loaded>
      )}
    </>
  );
}

function Actions({ record }: { readonly record: JsonObject }) {
  const words = texts.site.resource;
  const [publish, remove] = [
    record['published'] === true ? ('unpublish' as const) : ('publish' as const),
    record['deleted'] === true ? ('restore' as const) : ('delete' as const),
  ];
  const given = { arguments: [textOf(record['id'])] };
  return (
    <div class="actions">
      <CommandButton path={`resource ${publish}`} given={given} label={texts.writing[publish]} />
      <CommandButton path={`resource ${remove}`} given={given} label={words[remove]} />
    </div>
  );
}

interface ResourceFormProps {
  readonly record: JsonObject;
  readonly saved?: (result: RunResult) => void;
}

function ResourceForm({ record, saved }: ResourceFormProps) {
  const id = textOf(record['id']);
  const path = id === '' ? 'resource create' : 'resource update';
  const draft = useDraft(`resource ${id}`);
  const [templates, contexts] = [useTemplates(), useContexts()];
  const tvs = useTvs(textOf(draft.values['template'] as Json | undefined) || textOf(record['template']));
  return (
    <CommandForm
      {...{ path, draft, flags: resourceFlags, submit: id === '' ? texts.create : texts.save }}
      groups={resourceGroups({ command: useCommand(path), tvs, templates, contexts })}
      {...(id !== '' && { initial: { ID_OR_URI: id }, stored: storedFields(record) })}
      {...(saved && { onDone: saved })}
    />
  );
}

/** Of the template that is chosen, in its order. */
function useTvs(template: string): readonly JsonObject[] {
  const isChosen = template !== '' && template !== '0';
  const { result: shown } = useRun(isChosen ? 'element show' : null, { arguments: ['template', template] });
  const { tvs } = recordOf(shown?.data);
  const names = Array.isArray(tvs) ? tvs.map(String) : [];
  const { result } = useRun(names.length > 0 ? 'element list' : null, {
    arguments: ['tvs'],
    options: { fields: 'name,type,caption,description,elements', limit: 1000 },
  });
  return isChosen ? rowsOf(result?.data).filter(({ name }) => names.includes(String(name))) : [];
}
