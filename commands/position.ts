/** `hcd position`: places where pages show banners. */

import { linkBanner, linksOf, orderPosition, unlinkBanner } from '../src/banners/management/position-links.js';
import {
  addPosition,
  findPosition,
  listPositions,
  readPosition,
  removePosition,
  updatePosition,
} from '../src/banners/management/positions.js';
import { choiceValue, integerValue, textValue } from '../src/config/value-type.js';
import { positionParameter } from './banner/shared.js';
import { defineCommand, defineSiteCommand } from './command.js';
import {
  anyText,
  defaultRows,
  idValue,
  optional,
  repeated,
  required,
  rowParameters,
  usageError,
} from './parameters.js';

const contextParameter = optional(anyText, 'Context of the position (default: every context)', { placeholder: 'KEY' });

const linkArguments = {
  position: positionParameter,
  banner: required(idValue, 'Id of the banner', { placeholder: 'BANNER' }),
};

export const commands = {
  list: defineSiteCommand({
    description:
      'Lists positions with the number of their banners, impressions and clicks. A position without a context applies to every context.',
    options: {
      query: optional(textValue(), 'Show only positions with this text in the name', { placeholder: 'TEXT' }),
      sort: optional(choiceValue(['id', 'name']), 'Field to sort by (default: id)', { placeholder: 'FIELD' }),
      ...rowParameters,
    },
    examples: {
      'position list': 'List all positions',
      'position list --query side --json': 'List matching positions as JSON',
    },
    async run(options, deps) {
      const { query = null, sort = 'id', limit = defaultRows, offset = 0 } = options;
      const { rows, total } = await listPositions(deps.store, { query, sort, descending: false, limit, offset });
      return {
        kind: 'list',
        columns: ['id', 'name', 'context_key', 'banners', 'impressions', 'clicks'],
        spare: ['context_key', 'banners'],
        rows,
        total,
        offset,
        empty: 'No matching positions. Add one: hcd position add NAME',
      };
    },
  }),

  show: defineSiteCommand({
    description:
      'Shows a position with its context and the numbers of its banners, impressions and clicks. hcd position explain shows its banners.',
    arguments: { position: positionParameter },
    examples: {
      'position show sidebar': 'Show a position',
      'position show 2 --json': 'Show a position as JSON',
    },
    async run({ position }, { store }) {
      const { id } = await findPosition(store, position);
      return { kind: 'record', record: await readPosition(store, id) };
    },
  }),

  add: defineSiteCommand({
    description:
      'Adds a position where pages show banners. A page requests its banners by name or id: GET /slots/NAME. Link banners to the position with hcd position link.',
    arguments: { name: required(anyText, 'Name of the position') },
    options: { contextKey: contextParameter },
    examples: {
      'position add sidebar --context-key web': 'Add a position for one context',
      'position add header --json': 'Add a position and print it as JSON',
    },
    async run({ name, contextKey = '' }, deps) {
      const position = await addPosition(deps.store, { name, context_key: contextKey, username: deps.writer });
      const notes = [`To link a banner: hcd position link ${position.id} BANNER`];
      return { kind: 'record', record: position, notes };
    },
  }),

  update: defineCommand({
    description:
      'Changes the name or the context of a position and keeps its banners. Pages that request it by its old name no longer find it. An empty --context-key applies it to every context.',
    arguments: { position: positionParameter },
    options: {
      name: optional(anyText, 'New name'),
      contextKey: contextParameter,
    },
    examples: {
      'position update 2 --name sidebar-top': 'Rename a position',
      'position update sidebar --context-key "" --json': 'Apply a position to every context',
    },
    async run({ position, name, contextKey }, deps) {
      if (name === undefined && contextKey === undefined) {
        throw usageError({ '--name': 'is required when --context-key is not given' });
      }
      const { store } = await deps.openSite();
      const { id } = await findPosition(store, position);
      const changed = await updatePosition(store, {
        id,
        ...(name === undefined ? {} : { name }),
        ...(contextKey === undefined ? {} : { context_key: contextKey }),
        username: deps.writer,
      });
      return { kind: 'record', record: changed };
    },
  }),

  remove: defineSiteCommand({
    description: 'Removes a position and its links to banners permanently. The banners and their statistics are kept.',
    arguments: { position: positionParameter },
    examples: {
      'position remove sidebar': 'Remove a position',
      'position remove 2 --yes --json': 'Remove a position without confirmation',
    },
    destructive: {},
    async run({ position }, deps) {
      const { id, name } = await findPosition(deps.store, position);
      const banners = (await linksOf(deps.store.own.primary, id)).length;
      await deps.confirm(`Remove position ${id} "${name}" and its links (banners: ${banners}) permanently?`);
      await removePosition(deps.store, { id, username: deps.writer });
      const message = `Removed position ${id} "${name}" and its links to banners: ${banners}.`;
      return { kind: 'done', message, data: { id, removed: true, banners } };
    },
  }),

  link: defineSiteCommand({
    description:
      'Links a banner to a position and prints the link. Its id is part of the click and impression URLs. When the link exists, its weight and place are updated. The weight applies to the weighted rotation: a banner with weight 3 is shown three times as often as one with weight 1.',
    arguments: linkArguments,
    options: {
      weight: optional(integerValue({ min: 1, max: 1_000_000 }), 'Weight in the rotation (default: 1 for a new link)'),
      idx: optional(
        integerValue({ min: 0, max: 1_000_000 }),
        'Place in the order of the position, from 0 (default: last)',
      ),
    },
    examples: {
      'position link sidebar 3 --weight 2': 'Show a banner twice as often as the others',
      'position link 2 3 --idx 0 --json': 'Put a banner first and print the link as JSON',
    },
    async run(options, deps) {
      const { banner, weight = null, idx = null } = options;
      const { id } = await findPosition(deps.store, options.position);
      const { link, isNew } = await linkBanner(deps.store, {
        position: id,
        ad: banner,
        weight,
        idx,
        username: deps.writer,
      });
      const notes = isNew ? [] : ['The banner was already linked to this position.'];
      return { kind: 'record', record: link, notes };
    },
  }),

  unlink: defineSiteCommand({
    description:
      'Removes the link between a banner and a position. The banners after it move up, and the click URLs of the link stop working. The banner and its statistics are kept.',
    arguments: linkArguments,
    examples: {
      'position unlink sidebar 3': 'Remove a banner from a position',
      'position unlink 2 3 --json': 'Remove a banner and print the link as JSON',
    },
    async run({ position, banner }, deps) {
      const { id, name } = await findPosition(deps.store, position);
      const link = await unlinkBanner(deps.store, { position: id, ad: banner, username: deps.writer });
      const message = `Removed banner ${banner} from position ${id} "${name}".`;
      return { kind: 'done', message, data: { ...link, removed: true } };
    },
  }),

  order: defineSiteCommand({
    description:
      'Moves the given banners to the start of a position, in this order. The other banners follow in their current order. Without banners the command only shows the order. The order applies to the rotation idx. Prints the links.',
    arguments: {
      position: positionParameter,
      banners: repeated(idValue, 'Ids of the banners in their new order', { placeholder: 'BANNER' }),
    },
    examples: {
      'position order sidebar 7 3': 'Put two banners first',
      'position order sidebar --json': 'Show the links of a position as JSON',
    },
    async run({ position, banners }, deps) {
      const { id } = await findPosition(deps.store, position);
      const links =
        banners.length === 0
          ? await linksOf(deps.store.own.primary, id)
          : await orderPosition(deps.store, { position: id, ads: banners, username: deps.writer });
      return {
        kind: 'list',
        columns: ['idx', 'ad', 'id', 'weight'],
        rows: links,
        empty: `The position has no banners. Link one: hcd position link ${id} BANNER`,
      };
    },
  }),
};
