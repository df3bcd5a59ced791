/** The texts of the page in one language. Texts of commands, their errors and settings come from the commands. */
import { banners } from './texts/banners.js';
import { deliveries } from './texts/deliveries.js';
import { members, states } from './texts/members.js';
import { writing } from './texts/pages.js';
import { shared } from './texts/shared.js';
import { site } from './texts/site.js';

/** In the order of `languageNames`. */
export type Text = readonly [english: string, german: string];
export type Words = Readonly<Record<string, Text>>;
export type Table = { readonly [name: string]: Text | ((...given: never[]) => Text) | Table };

type Chosen<T> = T extends Text
  ? string
  : T extends (...given: infer Given) => Text
    ? (...given: Given) => string
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
  const chosen = Object.entries(table).map(([name, one]) => {
    if (typeof one === 'function') return [name, (...given: never[]) => one(...given)[at]];
    return [name, isText(one) ? one[at] : inLanguage(one, at)];
  });
  return Object.fromEntries(chosen);
}

function isText(one: Text | Table): one is Text {
  return Array.isArray(one);
}
