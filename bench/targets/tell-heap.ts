/** Loaded in front of a measured server: at SIGUSR2 it writes the used heap in bytes to standard error. */
process.on('SIGUSR2', () => process.stderr.write(`heap used: ${process.memoryUsage().heapUsed}\n`));
