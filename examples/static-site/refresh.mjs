#!/usr/bin/env node
/** The same as `node build.mjs --refresh`, for schedulers. */
process.argv.push('--refresh');
await import('./build.mjs');
