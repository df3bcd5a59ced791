/** A remembered visitor is the same as a newly computed one, whatever changes in between. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { truncateAddress, visitorOf } from '../../../src/banners/rules/visitor.js';
import { VisitorMemory } from '../../../src/banners/tracking/visitor-memory.js';
import { sha256Hex } from '../../../src/crypto/hash.js';

it('gives the visitor and the kept address of the day and the setting that were asked for', () => {
  const questions = fc.array(
    fc.record({
      ip: fc.oneof(fc.ipV4(), fc.ipV6(), fc.constantFrom('', 'unknown', '10.0.0.1', '2001:db8::1')),
      day: fc.constantFrom(20261121, 20261122),
      isWhole: fc.boolean(),
    }),
  );
  fc.assert(
    fc.property(questions, (asked) => {
      const memory = new VisitorMemory(sha256Hex);
      for (const { ip, day, isWhole } of [...asked, ...asked]) {
        expect(memory.find({ ip, day, isWhole })).toEqual({
          visitor: visitorOf({ ip, day, digest: sha256Hex }),
          ip: isWhole ? ip : truncateAddress(ip),
        });
      }
    }),
  );
});

it('works out a visitor once, and again on another day', () => {
  const texts: string[] = [];
  const memory = new VisitorMemory((text) => {
    texts.push(text);
    return sha256Hex(text);
  });
  const ask = (day: number) => memory.find({ ip: '203.0.113.9', day, isWhole: false });
  expect(ask(20261121)).toBe(ask(20261121));
  ask(20261122);
  expect(texts).toEqual(['20261121|203.0.113.9', '20261122|203.0.113.9']);
});
