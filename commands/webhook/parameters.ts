/** Arguments and flags that the commands for webhooks share. */
import { integerValue, listValue, textValue } from '../../src/config/value-type.js';
import { optional, required } from '../parameters.js';

const largestId = 2 ** 32 - 1;

export const subscriptionIdValue = integerValue({ min: 1, max: largestId });

export const subscriptionParameter = required(subscriptionIdValue, {
  placeholder: 'ID',
  description: 'Id of the subscription (see hcd webhook list)',
});

export const eventsValue = listValue(
  textValue({ accepts: 'an event such as resources.updated', pattern: /^[^\s,]{1,128}$/ }),
  { min: 1, accepts: 'a comma list of events such as resources.created,resources.updated, or *' },
);

export const aboutEvents = {
  placeholder: 'LIST',
  description: 'Events to deliver, separated by commas; * for all events',
  suggestions: ['resources.created', 'resources.updated', 'resources.deleted', '*'],
  question: 'Events to deliver',
};

export const urlValue = textValue({ accepts: 'the URL of a receiver' });

export const nameValue = textValue({
  accepts: 'a text of at most 100 characters without line breaks and other controls',
  pattern: /^\P{Cc}{0,100}$/u,
});

export const secretParameter = optional(textValue(), {
  placeholder: 'SECRET',
  description: 'Secret of at least 16 characters (default: generated)',
});
