/** What `hcd doctor` finds, with the fix as a button where a command does it. */
import { useState } from 'preact/hooks';
import { CommandButton, CommandDialog, SecretNotice } from '../action.js';
import { isObject, type JsonObject, type RunResult } from '../api.js';
import { Badge } from '../badge.js';
import { Loaded, rowsOf } from '../data-table.js';
import type { FieldValue } from '../parameter-field.js';
import { Notice } from '../parts.js';
import { linkTo } from '../route.js';
import { secretOf } from '../secret.js';
import { useCommand } from '../site.js';
import { texts } from '../texts.js';
import { useRun } from '../use-run.js';

export function FindingsTab() {
  const [secret, setSecret] = useState<string | null>(null);
  const reading = useRun('doctor');
  const done = (result: RunResult): void => {
    setSecret(secretOf(result));
    reading.reload();
  };
  return (
    <>
      <div class="bar">
        <h1>{texts.site.tabs.findings}</h1>
        <button type="button" disabled={reading.isLoading} onClick={reading.reload}>
          {reading.isLoading ? texts.running : texts.site.checkAgain}
        </button>
      </div>
      {secret === null ? null : <SecretNotice secret={secret} />}
      <Loaded of={reading}>{({ data }) => <Findings rows={rowsOf(data)} done={done} />}</Loaded>
    </>
  );
}

interface FindingsProps {
  readonly rows: readonly JsonObject[];
  readonly done: (result: RunResult) => void;
}

function Findings({ rows, done }: FindingsProps) {
  const found = (state: string) => rows.filter((row) => row['state'] === state);
  const problems = [...found('error'), ...found('warning')];
  return (
    <>
      <Notice kind={problems.length === 0 ? 'good' : 'plain'}>
        {texts.site.checked(found('error').length, found('warning').length, found('ok').length)}
      </Notice>
      <ul class="cards">
        {problems.map((row) => (
          <li key={`${row['check']} ${row['detail']}`}>
            <Badge
              kind={row['state'] === 'error' ? 'bad' : 'plain'}
              text={texts.site.levels[row['state'] === 'error' ? 'error' : 'warning']}
            />
            <p class="prose">{sentence(String(row['detail']))}</p>
            {row['fix'] === null ? null : (
              <p class="help">
                {texts.site.fix} {String(row['fix'])}
              </p>
            )}
            {isObject(row['command']) ? <Fix command={row['command']} done={done} /> : null}
          </li>
        ))}
      </ul>
    </>
  );
}

/** Not of a name such as gateway_enabled. */
function sentence(text: string): string {
  if (!/^[a-z]+ /.test(text)) return text;
  return text.charAt(0).toUpperCase() + text.slice(1);
}

interface FixProps {
  readonly command: JsonObject;
  readonly done: (result: RunResult) => void;
}

/** At once where nothing is missing; else as a form. */
function Fix({ command, done }: FixProps) {
  const path = String(command['path']);
  const view = useCommand(path);
  const given = Array.isArray(command['arguments']) ? command['arguments'].map(String) : [];
  const options = isObject(command['options']) ? command['options'] : {};
  if (path === 'delivery list') {
    return <a href={linkTo('deliveries', 'receiver', String(options['webhook']))}>{texts.site.lookThere}</a>;
  }
  if (view === undefined) return null;
  const isWhole = view.arguments.every(({ required }, at) => !required || at < given.length);
  if (isWhole && !Object.values(options).includes(null)) {
    return <CommandButton path={path} given={{ arguments: given, options }} label={view.summary} onDone={done} />;
  }
  const initial: [string, FieldValue][] = [
    ...view.arguments.flatMap(({ name }, at): [string, FieldValue][] =>
      given[at] === undefined ? [] : [[name, given[at]]],
    ),
    ...Object.entries(options).flatMap(([name, value]): [string, FieldValue][] =>
      value === null ? [] : [[name, value === true ? true : String(value)]],
    ),
  ];
  return <CommandDialog path={path} label={view.summary} initial={Object.fromEntries(initial)} onDone={done} />;
}
