/** Every command: found by words, opened as a form. */
import { useState } from 'preact/hooks';
import type { CommandView } from '../../commands/studio/command-view.js';
import { CommandForm } from './command-form.js';
import { TextInput } from './inputs.js';
import { hasWords } from './list-view.js';
import { CopyButton, Notice } from './parts.js';
import { commandOf, linkTo, site } from './site.js';
import { texts } from './texts.js';

export function CommandsRoom({ path }: { readonly path: string | undefined }) {
  const open = path === undefined ? undefined : commandOf(path);
  if (path !== undefined && open === undefined) return <Notice kind="bad">{texts.notFound}</Notice>;
  return (
    <div class="columns">
      <CommandList path={path} />
      {open === undefined ? <h1>{texts.chooseCommand}</h1> : <CommandPage key={open.path} command={open} />}
    </div>
  );
}

function CommandList({ path }: { readonly path: string | undefined }) {
  const [words, setWords] = useState('');
  const found = site.commands.filter(({ path: own, summary }) => hasWords(`${own} ${summary}`, words));
  return (
    <nav class={path === undefined ? 'list open' : 'list'} aria-label={texts.rooms.commands}>
      <TextInput type="search" label={texts.findCommand} value={words} change={setWords} />
      {found.length === 0 ? <p>{texts.noCommands}</p> : null}
      {Object.entries(Object.groupBy(found, ({ group }) => group ?? '')).map(([group, own = []]) => (
        <>
          {group && <h2>{group}</h2>}
          <ul>
            {own.map((command) => (
              <li>
                <a href={linkTo('commands', command.path)} aria-current={command.path === path ? 'page' : undefined}>
                  <b>{command.path}</b> <span>{command.summary}</span>
                </a>
              </li>
            ))}
          </ul>
        </>
      ))}
    </nav>
  );
}

function CommandPage({ command }: { readonly command: CommandView }) {
  const { path, summary, description, examples, reading } = command;
  return (
    <article>
      <h1>{summary}</h1>
      <p class="help">
        <code>hcd {path}</code> {reading ? '' : `· ${texts.changes}`}
      </p>
      {description.split('\n\n').map((paragraph) => (
        <p class="prose">{paragraph}</p>
      ))}
      <CommandForm path={path} />
      <details>
        <summary>{texts.examples}</summary>
        <ul>
          {examples.map(({ line, text }) => (
            <li>
              {text}
              <br />
              <code>hcd {line}</code> <CopyButton text={`hcd ${line}`} />
            </li>
          ))}
        </ul>
      </details>
    </article>
  );
}
