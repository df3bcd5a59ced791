/** Every text of the page. Texts of commands, their errors and settings come from the commands. */
import { german } from './texts-de.js';

export const english = {
  title: 'hcd studio',
  skip: 'Skip to content',
  rooms: { commands: 'Commands' },
  readOnly: 'Read-only',
  language: 'Language',
  loading: 'Loading …',
  running: 'Running …',
  retry: 'Try again',
  cancel: 'Cancel',
  ended:
    'Studio has ended or cannot be reached. Run hcd studio again; what you typed here stays until you close this page.',
  notFound: 'There is no such page.',
  findCommand: 'Find a command',
  noCommands: 'No command has these words.',
  changes: 'changes the site',
  run: 'Run',
  optional: 'Optional',
  required: 'required',
  none: '(not set)',
  add: 'Add',
  remove: 'Remove',
  pickTime: 'Pick a time',
  examples: 'Examples',
  commandLine: 'The same on the command line',
  copy: 'Copy',
  copied: 'Copied',
  file: 'File',
  orText: 'or its text',
  invalidJson: 'This is not valid JSON',
  result: 'Result',
  asTable: 'Table',
  asJson: 'JSON',
  noRows: 'Nothing found.',
  rows: (shown: number, total: number) => (shown === total ? `${total} rows` : `${shown} of ${total} rows`),
  page: (offset: number, shown: number, total: number) => `${offset + 1}–${offset + shown} of ${total}`,
  pages: (label: string) => `Pages: ${label}`,
  previousPage: 'Previous',
  nextPage: 'Next',
  close: 'Close',
  secretOnce: 'This secret is shown once. Copy it now.',
  done: 'Done.',
  confirmTitle: 'Are you sure?',
  confirm: 'Yes, go on',
};

export type Texts = typeof english;

const languages: Readonly<Record<string, Texts>> = { en: english, de: german };
const stored = 'hcd-studio-language';

export const language = chooseLanguage();
export const texts: Texts = languages[language] ?? english;

export const languageNames: Readonly<Record<string, string>> = { en: 'English', de: 'Deutsch' };

export function changeLanguage(name: string): void {
  localStorage.setItem(stored, name);
  location.reload();
}

function chooseLanguage(): string {
  const wanted = [localStorage.getItem(stored) ?? '', ...navigator.languages.map((name) => name.slice(0, 2))];
  return wanted.find((name) => name in languages) ?? 'en';
}
