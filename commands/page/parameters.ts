/** Arguments and flags that the commands for pages share. */

import { timeValue } from '../../src/config/time-values.js';
import { integerValue, refusal, type ValueType } from '../../src/config/value-type.js';
import type { DocumentChoice } from '../../src/pages/authoring/page-history.js';
import { accept } from '../../src/values/checked.js';
import { optional, required } from '../parameters.js';
import { idValue } from '../resource/id-value.js';

export const pageParameter = required(idValue, { placeholder: 'ID', description: 'Id of the resource' });

const highest = 2 ** 32 - 1;

export const publishedNumber = integerValue({ min: 1, max: highest });

export const expectedParameter = optional(integerValue({ min: 0, max: highest }), {
  placeholder: 'N',
  description: 'Only if the draft is at this revision: refused with revision_conflict when somebody saved since',
});

const choiceAccepts = 'draft, published or the number of a publication';

/** Which document of a page is meant. */
export const documentValue: ValueType<DocumentChoice> = {
  kind: 'choice',
  accepts: choiceAccepts,
  choices: ['draft', 'published'],
  parse(text) {
    if (text === 'draft' || text === 'published') return accept(text);
    const number = publishedNumber.parse(text);
    return number.ok ? number : refusal(choiceAccepts, text);
  },
  format: String,
};

/** Unix seconds; null takes a plan back. */
export type PlannedTime = { readonly seconds: number | null };

const plannedAccepts = `${timeValue.accepts}, or never`;

export const plannedValue: ValueType<PlannedTime> = {
  kind: 'time',
  accepts: plannedAccepts,
  choices: ['never'],
  parse(text) {
    if (text === 'never') return accept({ seconds: null });
    const time = timeValue.parse(text);
    if (time.ok) return accept({ seconds: time.value });
    return refusal(plannedAccepts, text);
  },
  format: ({ seconds }) => (seconds === null ? 'never' : timeValue.format(seconds)),
};

/** Parts of long lists. */
export const partParameters = {
  limit: optional(integerValue({ min: 1, max: 100_000 }), {
    placeholder: 'N',
    description: 'Rows at most; 50 by default',
  }),
  offset: optional(integerValue({ min: 0, max: 1_000_000_000 }), {
    placeholder: 'N',
    description: 'Rows to leave out first',
  }),
};

export const defaultLimit = 50;
