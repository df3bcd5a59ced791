/**
 * Who sees a section: contexts, campaign parameters, conditions, and the switch
 * (docs/pages-documents.md#settings-of-a-section).
 */
import { describe, expect, test } from 'vitest';
import type { SectionSettings } from '../../../src/pages/rules/page-document.js';
import { isConditional, isVisible } from '../../../src/pages/rules/section-settings.js';
import { makeDocument, makeSection } from './section-types.js';

const visit = (query: Record<string, string> = {}, other: Partial<{ context: string; isLoggedIn: boolean }> = {}) => ({
  context: 'web',
  query: new Map(Object.entries(query)),
  isLoggedIn: false,
  ...other,
});

describe('shows a section', () => {
  test.each<[string, SectionSettings, Parameters<typeof visit>, boolean]>([
    ['to all visitors when it has no rule', {}, [], true],
    ['in its context', { contexts: ['shop', 'web'] }, [], true],
    ['in no other', { contexts: ['shop'] }, [], false],
    ['with an accepted campaign', { utm: { source: ['mail', 'app'] } }, [{ utm_source: 'app' }], true],
    ['not with another campaign', { utm: { source: ['mail'] } }, [{ utm_source: 'Mail' }], false],
    ['not without a campaign', { utm: { source: ['mail'] } }, [], false],
    ['not when the parameter lacks its prefix', { utm: { source: ['mail'] } }, [{ source: 'mail' }], false],
    [
      'when all campaign rules hold',
      { utm: { source: ['a'], term: ['b'] } },
      [{ utm_source: 'a', utm_term: 'b' }],
      true,
    ],
    ['not when one does not', { utm: { source: ['a'], term: ['b'] } }, [{ utm_source: 'a' }], false],
    ['with a parameter of any value', { conditions: [{ type: 'query', name: 'p' }] }, [{ p: '' }], true],
    ['not without the parameter', { conditions: [{ type: 'query', name: 'p' }] }, [], false],
    ['with the value', { conditions: [{ type: 'query', name: 'p', value: '' }] }, [{ p: '' }], true],
    ['not with another', { conditions: [{ type: 'query', name: 'p', value: '1' }] }, [{ p: '2' }], false],
    ['in the context of a condition', { conditions: [{ type: 'context', value: 'web' }] }, [], true],
    ['not outside it', { conditions: [{ type: 'context', value: 'web' }] }, [{}, { context: 'shop' }], false],
    ['by guests', { conditions: [{ type: 'guest' }] }, [], true],
    ['not by others', { conditions: [{ type: 'guest' }] }, [{}, { isLoggedIn: true }], false],
    ['by those logged in', { conditions: [{ type: 'logged_in' }] }, [{}, { isLoggedIn: true }], true],
    ['not by guests then', { conditions: [{ type: 'logged_in' }] }, [], false],
    [
      'by no visitor when conditions exclude one another',
      { conditions: [{ type: 'guest' }, { type: 'logged_in' }] },
      [],
      false,
    ],
    ['with parameters called like members of prototypes', { utm: { constructor: ['a'] } }, [], false],
  ])('%s', (_name, settings, given, expected) => {
    expect(isVisible(makeSection({ settings }), visit(...given))).toBe(expected);
  });
});

test('shows a disabled section to no visitor', () => {
  expect(isVisible(makeSection({ enabled: false }), visit())).toBe(false);
});

test('hides a section with an unknown condition', () => {
  const settings = JSON.parse('{"conditions": [{"type": "moon"}]}');
  expect(isVisible(makeSection({ settings }), visit())).toBe(false);
});

test.each([
  [{}, false],
  [{ contexts: ['web'] }, true],
  [{ utm: { source: ['a'] } }, true],
  [{ conditions: [{ type: 'guest' }] }, true],
  [{ _trashIndex: 3 }, false],
])('with the settings %j the answer depends on the request: %s', (settings, expected) => {
  const [section] = makeDocument([{ type: 'spacer', data: {}, settings }]).sections;
  expect(section && isConditional(section)).toBe(expected);
});
