/** `npm run bench`: measures and writes the figures as JSON and as a Markdown table. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { endOnSignals } from './children.js';
import { bestClient } from './load.js';
import { readOptions } from './options.js';
import { toMarkdown } from './report.js';
import { runBench } from './run.js';

endOnSignals();
const options = readOptions(process.argv.slice(2), bestClient());
const report = await runBench(options, (text) => process.stderr.write(`${text}\n`));
await mkdir(options.out, { recursive: true });
await writeFile(join(options.out, 'result.json'), `${JSON.stringify(report, null, 2)}\n`);
await writeFile(join(options.out, 'result.md'), toMarkdown(report));
process.stdout.write(toMarkdown(report));
process.stderr.write(`written to ${options.out}\n`);
