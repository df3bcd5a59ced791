/**
 * The sample site that `hcd demo` loads: an invented maker of outdoor equipment with a catalogue, guides, shops, trips,
 * a members area and a journal in a context of its own. Rows only, always the same; loading them is done elsewhere.
 */
import type { SampleBatch } from './batch.js';
import { elementBatches } from './element-rows.js';
import { cataloguePages } from './pages/catalogue.js';
import { frontPages, machinePages, memberPages } from './pages/front.js';
import { guidePages } from './pages/guides.js';
import { aboutPages, legalPages } from './pages/house.js';
import { journalPages } from './pages/journal.js';
import { storePages, tripPages } from './pages/places.js';
import { repairPages } from './pages/repairs.js';
import { unusualPages } from './pages/unusual.js';
import { accessBatches, peopleBatches } from './people-rows.js';
import { resourceBatches } from './resource-rows.js';
import { contextBatch, settingBatches } from './setting-rows.js';
import { placePages, type SiteTree } from './tree.js';

/** The pages with their ids, places and URIs; its `links` find pages by key for what is built upon them. */
export function sampleTree(): SiteTree {
  const web = [
    ...frontPages(),
    cataloguePages(),
    guidePages(),
    tripPages(),
    storePages(),
    repairPages(),
    aboutPages(),
    ...memberPages(),
    legalPages(),
    ...machinePages(),
    ...unusualPages(),
  ];
  return placePages([
    { key: 'web', pages: web },
    { key: 'journal', pages: journalPages() },
  ]);
}

/**
 * All rows in an order in which every row comes after those it names. Meant for an own store as the migrations leave
 * it: rows of the same primary key (context `web`, settings) are replaced, its other rows are referred to.
 */
export function* sampleSite(): Generator<SampleBatch> {
  const tree = sampleTree();
  yield contextBatch();
  yield* elementBatches();
  yield* peopleBatches();
  yield* accessBatches();
  yield* resourceBatches(tree);
  yield* settingBatches(tree);
}
