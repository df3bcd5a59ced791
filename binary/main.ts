/** The start of the program in the single executable, as bin/hcd is in the package. */
import cluster from 'node:cluster';
import { runProcess } from '../commands/main.js';

// A worker of `hcd serve` is a copy of this process. Node puts the path of its script before the words of its command.
const script = 'cluster-worker';
if (cluster.isPrimary) cluster.setupPrimary({ exec: script });
else if (process.argv[2] === script) process.argv.splice(2, 1);

void runProcess();
