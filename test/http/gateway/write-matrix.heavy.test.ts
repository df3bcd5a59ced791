/**
 * Every field of a resource and of an extra object × values of every kind → status and words, as a golden file: both
 * stores give the same, and a change of any rule shows.
 */
import { expect, test } from 'vitest';
import { describeEachDatabase, type TestDatabase } from '../../support/databases.js';
import { expectGolden } from '../../support/golden.js';
import type { Got, TestSite } from '../../support/site.js';
import { dataOf, key, startWritingSite } from './writing-site.js';

/** Values by a short name; `long` is longer than any column. */
const values: readonly (readonly [name: string, value: unknown])[] = [
  ['null', null],
  ['true', true],
  ['"yes"', 'yes'],
  ['0', 0],
  ['1', 1],
  ['"1"', '1'],
  ['1.5', 1.5],
  ['-1', -1],
  ['128', 128],
  ['2^31', 2 ** 31],
  ['2^53', 2 ** 53],
  ['""', ''],
  ['"text"', 'text'],
  ['192 x', 'x'.repeat(192)],
  ['65536 x', 'x'.repeat(65_536)],
  ['a time', '2026-01-02T03:04:05+02:00'],
  ['no time', '2026-02-30T00:00:00Z'],
  ['[]', []],
  ['{}', {}],
];

interface Subject {
  readonly object: string;
  readonly path: string;
  /** Of the record on which each value is tried. */
  readonly body: object;
}

const subjects: readonly Subject[] = [
  { object: 'resources', path: '/resources', body: { pagetitle: 'Subject' } },
  { object: 'goods', path: '/objects/goods', body: { title: 'Subject' } },
];

async function matrixOf(site: TestSite): Promise<string> {
  const lines: string[] = [];
  const schema = await site.get('/schema');
  const { objects } = schema.body['data'] as { objects: Record<string, { fields: string[] }> };
  for (const { object, path, body } of subjects) {
    // A refused value leaves the record as it was, so the next one is tried on it too.
    let one: string | null = null;
    const remove = () => site.get(`${one}?force=1`, { as: 'all', method: 'DELETE' });
    for (const field of [...(objects[object]?.fields ?? []), 'nothing']) {
      for (const as of ['all', 'plain']) {
        // Words that only the rights decide do not depend on the value.
        for (const [name, value] of as === 'all' ? values : values.slice(4, 5)) {
          one ??= `${path}/${dataOf(await site.get(path, { as: 'all', method: 'POST', body }))['id']}`;
          const answer: Got = await site.get(one, { as, method: 'PATCH', body: { [field]: value } });
          if (answer.status === 200) {
            await remove();
            one = null;
          }
          lines.push(`${object}.${field} = ${name}${as === 'all' ? '' : ` (${as})`}: ${outcome(answer, field)}`);
        }
      }
    }
    if (one !== null) await remove();
  }
  return `${lines.join('\n')}\n`;
}

/** The status with what the field became, or with the words of the refusal. */
function outcome({ status, body }: Got, field: string): string {
  if (status !== 200) return `${status} ${body['detail']} ${JSON.stringify(body['errors'] ?? {})}`;
  const { data } = body as { data: Record<string, unknown> };
  const text = JSON.stringify(data[field]);
  return `200 ${text.length > 60 ? `${text.slice(0, 20)}… of ${text.length}` : text}`;
}

describeEachDatabase('the matrix of fields and values', (database: TestDatabase) => {
  test('is the one of the golden file', async () => {
    const scopes = 'resources.read preview resources.update resources.delete goods.read goods.update'.split(' ');
    const site = await startWritingSite(database, { identities: { plain: key(...scopes) } });
    const text = await matrixOf(site);
    expect(text.split('\n').filter((line) => / 5\d\d /.test(line))).toEqual([]);
    expectGolden('http/gateway/write-matrix.txt', text);
  });
});
