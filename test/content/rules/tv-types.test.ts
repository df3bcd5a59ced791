/** What stored texts of template variables mean, damaged and hostile ones included. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tvReader, tvSchema } from '../../../src/content/rules/tv-types.js';

const unusable = Symbol('unusable');

function read(type: string, stored: string, { zone = 'UTC', elements = null as string | null } = {}): unknown {
  const value = tvReader({ type, elements })(stored, zone);
  return value === undefined ? unusable : value;
}

describe('a stored text', () => {
  it.each([
    ['number', '408', 408],
    ['number', ' -1.50 ', -1.5],
    ['number', '0', 0],
    ['number', '-0', 0],
    ['number', '', null],
    ['number', '1,5', unusable],
    ['number', '12345678901234567890', unusable],
    ['number', '1e999', unusable],
    ['number', 'NaN', unusable],
    ['number', '0x10', unusable],
    ['number', '1.', 1],
    ['number', '.5', 0.5],
    ['number', `1.${'0'.repeat(398)}`, 1],
    ['number', `1.${'0'.repeat(399)}`, unusable],
    ['text', '408', '408'],
    ['text', 'a||b', 'a||b'],
    ['text', '', null],
    ['text', '@EVAL return 1;', unusable],
    ['text', '@someone', '@someone'],
    ['checkbox', 'a||b', ['a', 'b']],
    ['checkbox', 'a||||b||', ['a', 'b']],
    ['listbox-multiple', '', []],
    ['listbox-multiple', '@SELECT 1', unusable],
    ['listbox-multiple', 'a'.repeat(9), ['aaaaaaaaa']],
    ['tag', ' a , b,,', ['a', 'b']],
    ['autotag', 'a||b', ['a||b']],
    ['migx', '[{"MIGX_id":"1","n":1}]', [{ MIGX_id: '1', n: 1 }]],
    ['migx', '', null],
    ['migx', '[{"a":', unusable],
    ['migx', '[{"n":1e999}]', unusable],
    ['json', '-1E+0999', unusable],
    ['json', `{"n":[${'9'.repeat(310)}]}`, unusable],
    ['json', `${'9'.repeat(250)}e99`, unusable],
    ['json', '[1e308,-1e-999,"1e999",1e10]', [1e308, -0, '1e999', 1e10]],
    ['json', '9007199254740993', 9007199254740992],
    ['json', '{"__proto__":1}', JSON.parse('{"__proto__":1}')],
    ['resourcelist', '12', 12],
    ['resourcelist', '0', null],
    ['resourcelist', '1||2', unusable],
    ['resourcelist', '99999999999999', unusable],
    ['date', '2026-11-21 09:30:00', '2026-11-21T09:30:00Z'],
    ['date', '2026-11-21', '2026-11-21T00:00:00Z'],
    ['date', '1970-01-01 00:00:00', '1970-01-01T00:00:00Z'],
    ['date', '0', null],
    ['date', '0000-00-00 00:00:00', unusable],
    ['date', '0000-01-01 00:00:00', unusable],
    ['date', '2026-02-30', unusable],
    ['date', '2026-11-21 24:00:00', unusable],
    ['date', '21.11.2026', '2026-11-21T00:00:00Z'],
    ['date', '29.02.2024', '2024-02-29T00:00:00Z'],
    ['date', '29.02.2023', unusable],
    ['date', '1.2.2024 09:30', '2024-02-01T09:30:00Z'],
    ['date', '29 Feb 2024', '2024-02-29T00:00:00Z'],
    ['date', '9 february 2024 23:59:59', '2024-02-09T23:59:59Z'],
    ['date', '29 Foo 2024', unusable],
    ['date', '29 Febr 2024', unusable],
    ['date', '02/29/2024', '2024-02-29T00:00:00Z'],
    ['date', '29/02/2024', unusable],
    ['date', '2024-02-29T10:00:00Z', '2024-02-29T10:00:00Z'],
    ['date', '2024-02-29T10:00:00.123+02:00', '2024-02-29T08:00:00Z'],
    ['date', '2024-02-29 10:00 -0530', '2024-02-29T15:30:00Z'],
    ['date', '2024-02-29T10:00:00+15:00', unusable],
    ['date', '2024-02-29Z', unusable],
    ['date', '2024-2-9', unusable],
    ['date', '@1709200800', '2024-02-29T10:00:00Z'],
    ['date', '@0', '1970-01-01T00:00:00Z'],
    ['date', '@-86400', '1969-12-31T00:00:00Z'],
    ['date', '@999999999999', unusable],
    ['date', '@later', unusable],
    ['date', 'tomorrow', unusable],
  ])('of the type %s: %j', (type, stored, expected) => {
    expect(read(type, stored)).toEqual(expected);
  });

  it('of too many members or levels is unusable', () => {
    expect(read('listbox-multiple', '||'.repeat(20_000))).toBe(unusable);
    expect(read('json', `${'['.repeat(100_000)}${']'.repeat(100_000)}`)).toBe(unusable);
  });

  it('is a time of the site', () => {
    expect(read('date', '2026-07-01 09:30:00', { zone: 'Europe/Berlin' })).toBe('2026-07-01T07:30:00Z');
    expect(read('date', '2026-12-01 09:30:00', { zone: 'Europe/Berlin' })).toBe('2026-12-01T08:30:00Z');
    expect(read('date', '01.07.2026 09:30', { zone: 'Europe/Berlin' })).toBe('2026-07-01T07:30:00Z');
    expect(read('date', '2026-07-01T09:30:00Z', { zone: 'Europe/Berlin' })).toBe('2026-07-01T09:30:00Z');
    expect(read('date', '@1709200800', { zone: 'Europe/Berlin' })).toBe('2024-02-29T10:00:00Z');
  });

  it.each([
    ['Yes==1||No==0', '1', true],
    ['Yes==1||No==0', '0', false],
    ['true||false', 'false', false],
    ['Yes==1||No==0', 'maybe', unusable],
    ['One==1||Two==2', '1', '1'],
    ['@SELECT 1', '1', '1'],
  ])('of a variable with the choices %s: %s', (elements, stored, expected) => {
    expect(read('option', stored, { elements })).toBe(expected);
  });

  it('never fails, and becomes JSON', () => {
    const type = fc.constantFrom(
      'number',
      'date',
      'migx',
      'json',
      'checkbox',
      'tag',
      'resourcelist',
      'option',
      'other',
    );
    fc.assert(
      fc.property(
        type,
        fc.oneof(fc.string(), fc.json(), fc.date({ noInvalidDate: true }).map(String)),
        (name, stored) => {
          const value = tvReader({ type: name, elements: 'Yes==1||No==0' })(stored, 'Europe/Berlin');
          expect(value === undefined || typeof JSON.stringify(value) === 'string').toBe(true);
        },
      ),
    );
  });
});

it('is described by type', () => {
  expect(tvSchema({ type: 'number', elements: null })).toEqual({ type: ['number', 'null'] });
  expect(tvSchema({ type: 'option', elements: 'Yes==1||No==0' })).toEqual({ type: ['boolean', 'null'] });
  expect(tvSchema({ type: 'image', elements: null })).toEqual({ type: ['string', 'null'] });
});
