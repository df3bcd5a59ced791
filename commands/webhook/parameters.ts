/** Arguments and flags that the commands for webhooks share. */
import { integerValue, listValue, textValue } from '../../src/config/value-type.js';
import { optional, required } from '../parameters.js';

const largestId = 2 ** 32 - 1;

export const subscriptionIdValue = integerValue({ min: 1, max: largestId });

export const subscriptionParameter = required(subscriptionIdValue, {
  placeholder: 'ID',
  description: 'Id of the subscription; hcd webhook list shows it',
});

export const eventsValue = listValue(
  textValue({ accepts: 'an event such as resources.updated', pattern: /^[^\s,]{1,128}$/ }),
  { min: 1, accepts: 'a comma list of events such as resources.created,resources.updated, or *' },
);

export const aboutEvents = {
  placeholder: 'LIST',
  description: 'Events that are delivered, separated by commas; * for all of them',
  suggestions: ['resources.created', 'resources.updated', 'resources.deleted', '*'],
  question: 'Which events are delivered?',
};

export const urlValue = textValue({ accepts: 'the URL of a receiver' });

export const nameValue = textValue({
  accepts: 'a text of at most 100 characters without line breaks and other controls',
  pattern: /^\P{Cc}{0,100}$/u,
});

export const secretParameter = optional(textValue(), {
  placeholder: 'SECRET',
  description: 'A secret of your own, 16 characters or more; a fresh one when left out',
});
