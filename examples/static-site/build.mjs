#!/usr/bin/env node
/**
 * Makes a static site of the pages that the page API delivers.
 *
 *   node build.mjs             every page; those that have not changed since the last time are not sent again
 *   node build.mjs --refresh   only what was published or withdrawn since the last time; one request when nothing was
 *
 * Settings come from the environment, see README.md. Nothing is written before everything was fetched.
 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ApiFailure, createClient } from './lib/api.mjs';
import { build, refresh } from './lib/collect.mjs';
import { readSettings } from './lib/settings.mjs';
import { readState, writeState } from './lib/state.mjs';
import { filesOfSite, writeFiles } from './lib/write-site.mjs';

const nothing = { changed: 0, removed: 0 };

const { values: flags } = parseArgs({
  options: {
    refresh: { type: 'boolean', default: false },
    out: { type: 'string', default: 'out' },
    state: { type: 'string', default: '.state' },
  },
});

/** What changed; everything when the site is behind our revision, as after a restore from a backup. */
async function collectChanges(client, before, settings) {
  try {
    return await refresh(client, before);
  } catch (error) {
    if (error.status !== 400) throw error;
    return build(client, before, settings);
  }
}

/** Writes the site first and the state last, so that the next run repeats an interrupted one. */
async function save({ out, state }, { before, collected, server }) {
  const files = await filesOfSite(out, { pages: collected.pages, server });
  const names = [...files.keys()].sort();
  // The state lists every file that may exist halfway, so that a later run removes each of them.
  await writeState(state, { ...before, files: [...new Set([...before.files, ...names])] });
  const done = await writeFiles(out, { files, old: before.files });
  await writeState(state, { ...collected, source: before.source, files: names });
  return done;
}

try {
  const settings = readSettings(process.env);
  const client = createClient(settings);
  const folders = { out: resolve(flags.out), state: resolve(flags.state) };
  const before = await readState(folders.state, settings.source);
  const canRefresh = flags.refresh && before.revision !== null;
  const collected = canRefresh ? await collectChanges(client, before, settings) : await build(client, before, settings);
  const { changed, removed } = collected.isNew
    ? await save(folders, { before, collected, server: settings.api })
    : nothing;
  process.stdout.write(
    `${collected.pages.size} pages at revision ${collected.revision}: ${client.requests()} requests, ${changed} files written, ${removed} removed\n`,
  );
} catch (error) {
  if (!(error instanceof ApiFailure)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
