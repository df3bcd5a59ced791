/** The texts of the page in one language. Texts of commands, their errors and settings come from the commands. */
import de from './texts/de.json';
import en from './texts/en.json';

/** For columns, facts, fields and states; one without a text here is named after itself. */
type Words = Readonly<Record<string, string>>;
type Texts = typeof en & { members: Words; states: Words; deliveries: { outcomes: Words } };

const languages: Readonly<Record<string, Texts>> = { en, de };
export const languageNames: Words = { en: 'English', de: 'Deutsch' };

const stored = 'hcd-studio-language';
const wanted = [localStorage.getItem(stored) ?? '', ...navigator.languages.map((name) => name.slice(0, 2))];
export const language = wanted.find((name) => Object.hasOwn(languages, name)) ?? 'en';
export const texts: Texts = languages[language] ?? en;

/** `{0}` stands for the first given value. */
export function fill(text: string, ...given: readonly (string | number)[]): string {
  return text.replace(/\{(\d)\}/g, (_, place) => String(given[place]));
}

export function changeLanguage(name: string): void {
  localStorage.setItem(stored, name);
  location.reload();
}
