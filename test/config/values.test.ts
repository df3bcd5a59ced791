/** The kinds of value: which texts they accept, what they make of them, and what a refusal says. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addressBlockValue,
  booleanValue,
  choiceValue,
  durationValue,
  integerValue,
  listValue,
  textValue,
  timeValue,
  type ValueType,
} from '../../src/config/value-type.js';

type Reader = Pick<ValueType<unknown>, 'parse'>;

const port = integerValue({ min: 0, max: 65_535 });
const sides = choiceValue(['left', 'right']);

const accepted: readonly [name: string, type: Reader, text: string, value: unknown][] = [
  ['boolean 1', booleanValue, '1', true],
  ['boolean true in any case', booleanValue, ' TRUE ', true],
  ['boolean yes', booleanValue, 'yes', true],
  ['boolean on', booleanValue, 'On', true],
  ['boolean empty is false', booleanValue, '', false],
  ['boolean 0', booleanValue, '0', false],
  ['boolean off', booleanValue, 'off', false],
  ['boolean no', booleanValue, 'no', false],
  ['integer at the lower end', port, '0', 0],
  ['integer at the upper end', port, ' 65535 ', 65_535],
  ['integer with leading zeros', port, '0080', 80],
  ['text', textValue(), ' a b ', ' a b '],
  ['choice', sides, 'left', 'left'],
  ['list', listValue(sides), ' left , right ', ['left', 'right']],
  ['empty list', listValue(sides), '', []],
  ['IPv4 address', addressBlockValue, '10.0.0.1', '10.0.0.1'],
  ['IPv4 block', addressBlockValue, '10.0.0.0/8', '10.0.0.0/8'],
  ['IPv6 address', addressBlockValue, '::1', '::1'],
  ['IPv6 block', addressBlockValue, 'fd00::/128', 'fd00::/128'],
  ['seconds', durationValue, '90s', 90],
  ['minutes', durationValue, '15m', 900],
  ['hours', durationValue, '12h', 43_200],
  ['days', durationValue, '90d', 7_776_000],
  ['time with Z', timeValue, '2026-11-21T09:30:00Z', 1_795_253_400],
  ['time with an offset', timeValue, '2026-11-21T10:30:00+01:00', 1_795_253_400],
  ['time without seconds, compact offset', timeValue, '2026-11-21 04:00-0530', 1_795_253_400],
  ['time with fractions', timeValue, '2026-11-21T09:30:00.750Z', 1_795_253_400],
  ['date', timeValue, '2026-11-21', 1_795_219_200],
  ['leap day', timeValue, '2028-02-29', 1_835_395_200],
  ['Unix seconds', timeValue, '1795253400', 1_795_253_400],
];

const [flag, number, side] = [
  'one of 1, true, yes, on, 0, false, no, off',
  'an integer from 0 to 65535',
  'one of left, right',
];
const address = 'an IP address or CIDR block';
const duration = 'a duration such as 90s, 15m, 12h or 90d';
const time = 'a time as ISO 8601 with Z or an offset (2026-11-21T09:30:00Z), a date, or Unix seconds';
const list = (element: string) => `a comma list, each element ${element}`;

/** What a refusal names as accepted; it repeats the text, of a list the element. */
const refused: readonly [name: string, type: Reader, text: string, accepted: string, repeated?: string][] = [
  ['boolean word', booleanValue, 'maybe', flag],
  ['integer below', integerValue({ min: 1, max: 9 }), '0', 'an integer from 1 to 9'],
  ['integer above', port, '65536', number],
  ['integer with a fraction', port, '1.5', number],
  ['integer in hexadecimal', port, '0x10', number],
  ['integer empty', port, '', number],
  ['text empty', textValue(), '', 'a text that is not empty'],
  ['choice in another case', sides, 'Left', side],
  ['list with a bad element', listValue(sides), 'left,up', list(side), 'up'],
  ['list with a hole', listValue(textValue()), 'a,,b', list('a text that is not empty'), ''],
  ['list too short', listValue(sides, { min: 1 }), '', list(side)],
  ['IPv4 prefix too long', addressBlockValue, '10.0.0.0/33', address],
  ['IPv6 prefix too long', addressBlockValue, '::/129', address],
  ['address with a zone', addressBlockValue, 'fe80::1%eth0', address],
  ['host name', addressBlockValue, 'proxy', address],
  ['duration without unit', durationValue, '90', duration],
  ['duration with a fraction', durationValue, '1.5h', duration],
  ['duration beyond a thousand years', durationValue, '365001d', duration],
  ['local time', timeValue, '2026-11-21T09:30:00', time],
  ['day that does not exist', timeValue, '2026-02-30', time],
  ['year whose date would be read as one of 1901', timeValue, '0001-01-01', time],
  ['hour that does not exist', timeValue, '2026-02-28T24:00:00Z', time],
  ['offset that does not exist', timeValue, '2026-02-28T12:00:00+15:00', time],
];

describe('values read from text', () => {
  it.each(accepted)('%s is accepted', (_name, type, text, value) => {
    expect(type.parse(text)).toEqual({ ok: true, value });
  });

  it.each(refused)('%s is refused', (_name, type, text, form, repeated = text) => {
    expect(type.parse(text)).toEqual({ ok: false, problem: `must be ${form}, not "${repeated}"` });
  });

  it('cuts a long text in a refusal', () => {
    const problem = `must be an integer from 0 to 65535, not "${'x'.repeat(60)}…"`;
    expect(port.parse('x'.repeat(5000))).toEqual({ ok: false, problem });
  });

  it('reads back every time that it writes', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 253_402_300_799 }), (seconds) => {
        expect(timeValue.parse(timeValue.format(seconds))).toEqual({ ok: true, value: seconds });
      }),
    );
  });

  it('never throws, whatever the text', () => {
    const types: readonly Reader[] = [
      booleanValue,
      port,
      textValue(),
      sides,
      listValue(port),
      addressBlockValue,
      durationValue,
      timeValue,
    ];
    fc.assert(
      fc.property(fc.constantFrom(...types), fc.string({ unit: 'binary' }), (type, text) => {
        expect(typeof type.parse(text).ok).toBe('boolean');
      }),
    );
  });
});
