/** A resource: its fields and template variables as a form, each by its type. */
import { useState } from 'preact/hooks';
import { CommandButton } from '../action.js';
import { isObject, type JsonObject, type RunResult } from '../api.js';
import { Loaded, rowsOf } from '../data-table.js';
import { ParameterField } from '../parameter-field.js';
import { ErrorNotice, Notice } from '../parts.js';
import { linkTo } from '../route.js';
import { useCommand } from '../site.js';
import { texts } from '../texts.js';
import { usePerform, useRun } from '../use-run.js';
import { type FormField, givenOf, resourceFields, textOfValue, tvFields } from './resource-fields.js';
import { ResourceState, useChoices } from './resources-tab.js';

/** `new` is one that is not there yet. */
export function ResourcePage({ id }: { readonly id: string }) {
  const isNew = id === 'new';
  const reading = useRun(isNew ? null : 'resource show', { arguments: [id], options: { tvs: true } });
  return (
    <>
      <p>
        <a href={linkTo('site', 'resources')}>{texts.site.resource.back}</a>
      </p>
      {isNew ? (
        <>
          <h1>{texts.site.resource.create}</h1>
          <ResourceForm
            record={{}}
            saved={({ data }) => {
              if (isObject(data)) location.hash = linkTo('site', 'resources', String(data['id']));
            }}
          />
        </>
      ) : (
        <Loaded of={reading}>
          {({ data }) => (isObject(data) ? <Resource record={data} reload={reading.reload} /> : null)}
        </Loaded>
      )}
    </>
  );
}

interface ResourceProps {
  readonly record: JsonObject;
  readonly reload: () => void;
}

function Resource({ record, reload }: ResourceProps) {
  const [notes, setNotes] = useState<readonly string[] | null>(null);
  const words = texts.site.resource;
  const given = { arguments: [String(record['id'])] };
  const isPublished = record['published'] === true;
  return (
    <>
      <h1>
        {String(record['pagetitle'])} <ResourceState resource={record} />
      </h1>
      <div class="actions">
        <CommandButton
          path={isPublished ? 'resource unpublish' : 'resource publish'}
          given={given}
          label={isPublished ? words.unpublish : words.publish}
          onDone={reload}
        />
        {record['deleted'] === true ? (
          <CommandButton path="resource restore" given={given} label={words.restore} onDone={reload} />
        ) : (
          <CommandButton path="resource delete" given={given} label={words.remove} kind="danger" onDone={reload} />
        )}
      </div>
      {notes === null ? null : <Notice kind="good">{[words.saved, ...notes].join('\n')}</Notice>}
      <ResourceForm
        key={JSON.stringify(record)}
        record={record}
        saved={(result) => {
          setNotes(result.notes);
          reload();
        }}
      />
    </>
  );
}

interface ResourceFormProps {
  readonly record: JsonObject;
  readonly saved: (result: RunResult) => void;
}

type Changes = Readonly<Record<string, string>>;

function ResourceForm({ record, saved }: ResourceFormProps) {
  const path = record['id'] === undefined ? 'resource create' : 'resource update';
  const command = useCommand(path) ?? null;
  const templates = useChoices('templates', 'templatename', 'id');
  const contexts = useChoices('contexts', 'name', 'key');
  const [changes, setChanges] = useState<Changes>({});
  const { perform, error, isRunning } = usePerform(path, saved);
  const template = changes['template'] ?? textOfValue(record['template']);
  const tvs = useTvs(template, record);
  const fields = [...resourceFields(command?.options ?? [], { record, templates, contexts }), ...tvs];
  const field = ({ parameter, before, problemsAt }: FormField) => (
    <ParameterField
      key={parameter.name}
      parameter={parameter}
      value={
        parameter.kind === 'list'
          ? (changes[parameter.name] ?? before).split('||')
          : (changes[parameter.name] ?? before)
      }
      problems={error?.fields[problemsAt] ?? []}
      change={(value) =>
        setChanges({
          ...changes,
          [parameter.name]: Array.isArray(value) ? value.filter((one) => one !== '').join('||') : String(value),
        })
      }
    />
  );
  if (command === null) return null;
  const part = (name: FormField['part']) => fields.filter((one) => one.part === name).map(field);
  const problems = Object.keys(error?.fields ?? {});
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        perform(givenOf({ record, changes, fields }));
      }}
    >
      {part('first')}
      {tvs.length === 0 ? null : <h2 class="part">{texts.site.resource.tvs}</h2>}
      {part('tv')}
      <details open={fields.some((one) => one.part === 'more' && problems.includes(one.problemsAt))}>
        <summary>{texts.site.resource.moreFields}</summary>
        {part('more')}
      </details>
      {error === null ? null : <ErrorNotice error={error} />}
      <div class="actions sticky">
        <button type="submit" class="primary" disabled={isRunning || Object.keys(changes).length === 0}>
          {texts.site.save}
        </button>
      </div>
    </form>
  );
}

/** Of the template that is chosen, in its order. */
function useTvs(template: string, record: JsonObject): readonly FormField[] {
  const isChosen = template !== '' && template !== '0';
  const { result: shown } = useRun(isChosen ? 'element show' : null, {
    arguments: ['template', template],
  });
  const names = isObject(shown?.data) && Array.isArray(shown.data['tvs']) ? shown.data['tvs'].map(String) : [];
  const { result } = useRun(names.length > 0 ? 'element list' : null, {
    arguments: ['tvs'],
    options: { fields: 'name,type,caption,description,elements', limit: 1000 },
  });
  if (!isChosen) return [];
  return tvFields(
    rowsOf(result?.data).filter(({ name }) => names.includes(String(name))),
    record,
  );
}
