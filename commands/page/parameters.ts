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
  description: 'Expected revision of the draft; fails with revision_conflict when the draft is newer',
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

/** Unix seconds; null cancels the schedule. */
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

/** Which rows of a long list are shown. */
export const partParameters = {
  limit: optional(integerValue({ min: 1, max: 100_000 }), {
    placeholder: 'N',
    description: 'Maximum number of rows (default: 50)',
  }),
  offset: optional(integerValue({ min: 0, max: 1_000_000_000 }), {
    placeholder: 'N',
    description: 'Number of rows to skip (default: 0)',
  }),
};

export const defaultLimit = 50;
