/** `hcd page diff ID [A] [B]`: the differences between two documents of a page. */

import { type Comparison, compareDocuments } from '../../src/pages/authoring/page-view.js';
import type { SectionChange, ValueChange } from '../../src/pages/rules/page-diff.js';
import { escapeControls } from '../../src/values/text.js';
import { defineSiteCommand } from '../command.js';
import { type Paint, paintFor } from '../paint.js';
import { optional } from '../parameters.js';
import { documentValue, pageParameter } from './shared.js';

const mostShown = 200;

export const command = defineSiteCommand({
  description:
    'Shows the differences between two documents of a page, section by section and value by value. A document is the draft, the published document, or an earlier publication. Sections are compared by their ids, so a section that only moved is shown as moved. Long values are cut; --json has them in full. The exit code is 0 even when the documents differ.',
  arguments: {
    id: pageParameter,
    from: optional(documentValue, 'First document (default: published)', { placeholder: 'A' }),
    to: optional(documentValue, 'Second document (default: draft)', { placeholder: 'B' }),
  },
  examples: {
    'page diff 42': 'Show what publishing the draft would change',
    'page diff 42 3 7': 'Compare two publications',
  },
  async run({ id, from, to }, deps) {
    const comparison = await compareDocuments(deps.store, {
      resource: id,
      ...(from === undefined ? {} : { from }),
      ...(to === undefined ? {} : { to }),
    });
    const isSame = comparison.changes.length === 0;
    const notes = isSame ? [`No differences between ${comparison.from} and ${comparison.to}.`] : [];
    const text = isSame ? '' : diffText(comparison, paintFor(deps.io.stdout));
    return { kind: 'text', text, data: comparison, notes };
  },
});

function diffText({ from, to, changes }: Comparison, paint: Paint): string {
  const head = [paint.bold(`--- ${from}`), paint.bold(`+++ ${to}`)];
  return `${[...head, ...changes.flatMap((change) => changeLines(change, paint))].join('\n')}\n`;
}

function changeLines(change: SectionChange, paint: Paint): readonly string[] {
  const { kind, id, type, before, after, values } = change;
  const section = `section ${(after ?? before ?? 0) + 1} ${type} ${id}`;
  const was = `, was ${(before ?? 0) + 1}`;
  const heads = {
    added: paint.green(`+ ${section}`),
    removed: paint.red(`- ${section}`),
    moved: paint.yellow(`> ${section}${was}`),
    changed: paint.yellow(`~ ${section}${before === after ? '' : was}`),
  };
  return [heads[kind], ...values.flatMap((one) => valueLines(one, paint))];
}

function valueLines({ path, before, after }: ValueChange, paint: Paint): readonly string[] {
  const name = escapeControls(path);
  return [
    ...(before === undefined ? [] : [paint.red(`  - ${name}: ${shown(before)}`)]),
    ...(after === undefined ? [] : [paint.green(`  + ${name}: ${shown(after)}`)]),
  ];
}

function shown(value: unknown): string {
  const text = escapeControls(JSON.stringify(value) ?? '');
  return text.length > mostShown ? `${text.slice(0, mostShown)}… (${text.length - mostShown} more characters)` : text;
}
