/** `hcd page edit`: edit the draft of a page in a text editor, or save it from a file. */

import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readVariable } from '../../src/config/definitions.js';
import { fileValue } from '../../src/config/value-type.js';
import { AppError } from '../../src/errors/app-error.js';
import { type SavedDraft, saveDraft } from '../../src/pages/authoring/change-page.js';
import { loadDocument, loadPage, type PageView } from '../../src/pages/authoring/page-view.js';
import { type DoneResult, defineCommand } from '../command.js';
import type { Deps, SiteDeps } from '../deps.js';
import { writeNote } from '../output.js';
import { optional, toggle, usageError } from '../parameters.js';
import { readJsonFile } from '../read-file.js';
import {
  authoringOf,
  expectedParameter,
  missingNotes,
  pageName,
  pageParameter,
  pageRecord,
  visibilityNotes,
} from './shared.js';

export const command = defineCommand({
  description:
    'Opens the draft of a page in a text editor, $VISUAL or $EDITOR, and saves it when it was changed. With --file it saves the document in a file as the draft instead. Readers see the draft only when it is published. The document is JSON: {"schemaVersion": 1, "sections": [{"type": "hero", "data": {"title": "Hello"}}]}. A section without an id keeps the id that it has on the page: it is matched by its content, then by its type and place. A new section gets an id and the defaults of its type. Every section is checked against its type (hcd section-type list), and all problems are reported together. Required values can be missing until the page is published. Markup that rich text must not have is removed and listed.\n\nEach save increments the revision of the draft. To avoid overwriting a newer draft, pass the revision that your file is based on with --revision; the text editor does this by itself. A text that cannot be saved is kept in a temporary file, and the command that saves it later is printed.',
  arguments: { id: pageParameter },
  options: {
    file: optional(fileValue, 'JSON file with the document, or - for standard input (default: open an editor)'),
    revision: expectedParameter,
    publish: toggle('Also publish the draft; saves nothing when a required value is missing'),
  },
  examples: {
    'page edit 42': 'Edit the draft in a text editor',
    'page edit 42 --file about.json --revision 7': 'Save a draft that is based on revision 7',
    'page edit 42 --file - --publish --json': 'Save and publish a document from standard input',
  },
  async run({ id, file, revision, publish }, deps) {
    const asked = { resource: id, publish };
    if (file !== undefined) {
      const document = await readJsonFile(file, deps);
      return save({ ...asked, document, expected: revision ?? null }, await deps.openSite());
    }
    const editor = editorOf(deps);
    const site = await deps.openSite();
    const page = await loadPage(site.store, id);
    const { document } = await loadDocument(site.store, page, page.revision === 0 ? 'published' : 'draft');
    const expected = revision ?? page.revision;
    const editing: Editing = {
      ...{ editor, name: `page-${id}.json`, text: `${JSON.stringify(document, null, 2)}\n` },
      again: (path) => `hcd page edit ${id} --file ${path} --revision ${expected}${publish ? ' --publish' : ''}`,
      save: async (path) => save({ ...asked, document: await readJsonFile(path, deps), expected }, site),
    };
    const saved = await editText(editing, deps);
    return saved ?? editResult(page, `Nothing to save: the draft of ${pageName(page)} was not changed.`, []);
  },
});

async function save(request: Parameters<typeof saveDraft>[1], site: SiteDeps): Promise<DoneResult> {
  const { page, missing, sanitised } = await saveDraft(authoringOf(site), request);
  const saved = `Saved the draft of ${pageName(page)} as revision ${page.revision}`;
  const message = request.publish ? `${saved} and published it as ${page.lastPublished}.` : `${saved}.`;
  const notes = request.publish
    ? await visibilityNotes(page, site)
    : missingNotes(missing, 'Required before it can be published:');
  const removed = sanitised.map(
    (one) => `Removed from sections[${one.section}].data.${one.field}: ${one.removed.join(', ')}`,
  );
  return { ...editResult(page, message, sanitised), notes: [...removed, ...notes] };
}

function editResult(page: PageView, message: string, sanitised: SavedDraft['sanitised']): DoneResult {
  return { kind: 'done', message, data: { ...pageRecord(page), sanitised } };
}

/** From `$VISUAL` or `$EDITOR`. Throws usage, which names --file, without a terminal or an editor. */
function editorOf({ env, io }: Deps): readonly string[] {
  const refuse = (why: string) => usageError({ '--file': `is required: ${why}` });
  if (!io.stdin.isTerminal || !io.stdout.isTerminal) throw refuse('not a terminal, cannot open an editor');
  const words = shellWords(readVariable(env, 'VISUAL') ?? readVariable(env, 'EDITOR') ?? '');
  if (words.length === 0) throw refuse('neither VISUAL nor EDITOR names a text editor');
  return words;
}

/** As a shell splits a line with quotes and backslashes, but without variables and other syntax. */
function shellWords(line: string): readonly string[] {
  const words = line.match(/(?:"(?:\\.|[^"\\])*"|'[^']*'|\\.|[^\s"'\\])+/gs) ?? [];
  const part = /"((?:\\.|[^"\\])*)"|'([^']*)'|\\(.)/gs;
  return words.map((word) =>
    word.replace(part, (_, double?: string, single?: string, escaped?: string) =>
      double === undefined ? (single ?? escaped ?? '') : double.replace(/\\(["\\$`])/g, '$1'),
    ),
  );
}

interface Editing {
  readonly editor: readonly string[];
  /** Editors choose their colours by its ending. */
  readonly name: string;
  readonly text: string;
  readonly save: (path: string) => Promise<DoneResult>;
  readonly again: (path: string) => string;
}

/** Null for an unchanged text. The file stays when `save` fails. */
async function editText({ editor, name, text, save, again }: Editing, deps: Deps): Promise<DoneResult | null> {
  const folder = await mkdtemp(join(tmpdir(), 'hcd-edit-'));
  const path = join(folder, name);
  const isChanged = () =>
    readFile(path, 'utf8')
      .then((now) => now !== text)
      .catch(() => false);
  let isKept = false;
  try {
    await writeFile(path, text, { mode: 0o600 });
    await runEditor([...editor, path], deps);
    return (await isChanged()) ? await save(path) : null;
  } catch (error) {
    isKept = await isChanged();
    if (isKept)
      writeNote(deps.io.stderr, `Nothing was saved. Your text is kept; correct it and save it: ${again(path)}`);
    throw error;
  } finally {
    if (!isKept) await rm(folder, { recursive: true, force: true });
  }
}

async function runEditor([file = '', ...words]: readonly string[], { env, cwd }: Deps): Promise<void> {
  const refuse = (message: string, cause?: unknown) => new AppError('refused', { message, cause });
  // Ctrl-C belongs to the editor, but the terminal sends it to this process too.
  const listeners = process.listeners('SIGINT');
  process.removeAllListeners('SIGINT').on('SIGINT', () => undefined);
  try {
    await new Promise<void>((resolve, reject) => {
      spawn(file, words, { cwd, env: { ...env }, stdio: 'inherit' })
        .once('error', (cause) => reject(refuse(`The editor ${file} cannot be started: see VISUAL and EDITOR`, cause)))
        .once('close', (code) => (code === 0 ? resolve() : reject(refuse(`The editor ${file} has failed`))));
    });
  } finally {
    process.removeAllListeners('SIGINT');
    for (const listener of listeners) process.on('SIGINT', listener);
  }
}
