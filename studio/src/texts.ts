/** The texts of the page in one language. Texts of commands, their errors and settings come from the commands. */
import { banners } from './texts/banners.js';
import { deliveries } from './texts/deliveries.js';
import { members, states } from './texts/members.js';
import { writing } from './texts/pages.js';
import { shared } from './texts/shared.js';
import { site } from './texts/site.js';

/** In the order of `languageNames`. What stands for `{0}` is given: such a text is a function. */
export type Text = readonly [english: string, german: string];
export type Words = Readonly<Record<string, Text>>;
export type Table = { readonly [name: string]: Text | Table };

type Filled = (...given: readonly (string | number)[]) => string;
type Chosen<T> = T extends Text
  ? T[0] extends `${string}{${string}`
    ? Filled
    : string
  : { readonly [Name in keyof T]: Chosen<T[Name]> };

export const languageNames: Readonly<Record<string, string>> = { en: 'English', de: 'Deutsch' };

const languages = Object.keys(languageNames);
const stored = 'hcd-studio-language';

export const language = chooseLanguage();
export const texts = inLanguage(
  { ...shared, members, states, banners, deliveries, site, writing },
  languages.indexOf(language),
);

export function changeLanguage(name: string): void {
  localStorage.setItem(stored, name);
  location.reload();
}

function chooseLanguage(): string {
  const wanted = [localStorage.getItem(stored) ?? '', ...navigator.languages.map((name) => name.slice(0, 2))];
  return wanted.find((name) => languages.includes(name)) ?? 'en';
}

function inLanguage<T extends Table>(table: T, at: number): Chosen<T> {
  const chosen = Object.entries(table).map(([name, one]) => [
    name,
    isText(one) ? filled(one[at]) : inLanguage(one, at),
  ]);
  return Object.fromEntries(chosen);
}

function filled(text = ''): string | Filled {
  if (!text.includes('{')) return text;
  return (...given) => text.replace(/\{(\d)\}/g, (_, place) => String(given[place]));
}

function isText(one: Text | Table): one is Text {
  return Array.isArray(one);
}
