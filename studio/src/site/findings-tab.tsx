/** What `hcd doctor` finds, with the fix as a button where a command does it. */
import { CommandButton, CommandDialog } from '../action.js';
import type { JsonObject } from '../api.js';
import { Loaded, rowsOf } from '../data-table.js';
import type { FieldValue } from '../parameter-field.js';
import { Notice } from '../parts.js';
import { linkTo } from '../route.js';
import { useCommand } from '../site.js';
import { texts } from '../texts.js';
import { useRun } from '../use-run.js';
import { recordOf, State, textOf } from '../values.js';

export function FindingsTab() {
  const reading = useRun('doctor');
  return (
    <>
      <div class="bar">
        <h1>{texts.site.tabs.findings}</h1>
        <button type="button" disabled={reading.isLoading} onClick={reading.reload}>
          {reading.isLoading ? texts.running : texts.site.checkAgain}
        </button>
      </div>
      <Loaded of={reading}>{({ data }) => <Findings rows={rowsOf(data)} />}</Loaded>
    </>
  );
}

function Findings({ rows }: { readonly rows: readonly JsonObject[] }) {
  const found = (state: string) => rows.filter((row) => row['state'] === state);
  const [errors, warnings] = [found('error'), found('warning')];
  const isGood = errors.length + warnings.length === 0;
  return (
    <>
      <Notice kind={isGood ? 'good' : 'plain'}>
        {texts.site.checked(errors.length, warnings.length, found('ok').length)}
      </Notice>
      <ul class="cards">
        {[...errors, ...warnings].map((row) => (
          <li key={`${row['check']} ${row['detail']}`}>
            <State of={String(row['state'])} />
            <p class="prose">{sentence(String(row['detail']))}</p>
            {row['fix'] === null ? null : (
              <p class="help">
                {texts.site.fix} {String(row['fix'])}
              </p>
            )}
            <Fix command={recordOf(row['command'])} />
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

/** At once where nothing is missing, else with a form. */
function Fix({ command: { path: name, arguments: words, options: flags } }: { readonly command: JsonObject }) {
  const path = String(name);
  const view = useCommand(path);
  const given = Array.isArray(words) ? words.map(String) : [];
  const options = recordOf(flags);
  if (path === 'delivery list') {
    return <a href={linkTo('deliveries', 'receiver', String(options['webhook']))}>{texts.site.lookThere}</a>;
  }
  if (view === undefined) return null;
  const isWhole = view.arguments.every(({ required }, at) => !required || at < given.length);
  if (isWhole && !Object.values(options).includes(null)) {
    return <CommandButton path={path} given={{ arguments: given, options }} />;
  }
  const named = view.arguments.map(({ name: one }, at): [string, FieldValue] => [one, given[at] ?? '']);
  const set = Object.entries(options).map(([one, value]): [string, FieldValue] => [
    one,
    value === true || textOf(value),
  ]);
  return <CommandDialog path={path} initial={Object.fromEntries([...named, ...set])} />;
}
