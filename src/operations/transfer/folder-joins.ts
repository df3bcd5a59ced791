/** What files of a folder name: it must be there, and a resource group must protect its pages. */
import { resourceGroupRules } from '../../content/models/access.js';
import { type FolderJoin, joinEnds, referred } from './folder-classes.js';
import { type FolderReading, idIn, placeIn, textIn } from './folder-entry.js';
import type { FileValue } from './folder-file.js';
import type { FolderIndex, JoinRow } from './folder-index.js';
import { calledName } from './names.js';

export async function checkJoins(reading: FolderReading, index: FolderIndex): Promise<void> {
  for (const [join, rows] of index.joins) {
    for (const row of rows) {
      for (const [at, [column, kind]] of joinEnds[join].entries()) {
        const given = row.values[column];
        if (await index.has(kind, given)) continue;
        const why = `there is no ${kind === 'resources' ? 'resource' : calledName(kind)} ${textIn(given) || '0'}`;
        // The CMS leaves rows of removed templates and variables behind; a page without its group would be open.
        if (join === 'groups' || idIn(given) === null)
          reading.problems.add({ ...placeIn(row, column), field: column, problem: why });
        else if (at === 0) reading.onLost?.({ object: kind, key: row.file, member: join, why });
      }
    }
  }
  if (reading.hasOpenGroups !== true) await checkGroups(reading, index);
}

/** Without an access rule everyone may read what is in a group, and folders have no rules. */
async function checkGroups(reading: FolderReading, index: FolderIndex): Promise<void> {
  const { content, prefix } = reading.store;
  const first = new Map<string, { readonly row: JoinRow; pages: number }>();
  for (const row of index.joins.get('groups') ?? []) {
    const { document, document_group: given } = row.values;
    if (!index.holds(document)) continue;
    const id = idIn(given);
    const name = id === null ? textIn(given) : await index.nameOf('resource_groups', id);
    if (typeof name !== 'string') continue;
    const known = first.get(name) ?? { row, pages: 0 };
    first.set(name, known);
    known.pages += 1;
  }
  if (first.size === 0) return;
  const rules = await resourceGroupRules.on(content.primary, prefix).lookUpAll({}, { attributes: ['target'] });
  const ruled = new Set(rules.map(({ target }) => Number(target)));
  for (const [name, { row, pages }] of first) {
    if (ruled.has(Number((await index.find('resource_groups', name)) ?? 0))) continue;
    const problem = `the resource group "${name}" has no access rules here, so everyone could read its pages (${pages}): make its rules first, or import with --allow-open-groups`;
    reading.problems.add({ ...placeIn(row, 'document_group'), field: 'document_group', problem });
  }
}

/** A name of digits is in quotes, or has digits that are the id of nothing. */
export async function isName(
  index: FolderIndex,
  { object, column, given }: { readonly object: string; readonly column: string; readonly given: string | number },
): Promise<boolean> {
  const id = idIn(given);
  if (id === null || id === 0) return id === null;
  const isQuoted = typeof given === 'string';
  if (column === 'category' && object !== 'categories') {
    const isId = (await index.pathOf(id)) !== undefined;
    return (await index.pathsNamed(String(given))).length > 0 ? isQuoted || !isId : isQuoted && !isId;
  }
  const kind = Object.hasOwn(referred, column) ? referred[column] : undefined;
  if (kind === undefined || !(await index.hasName(kind, String(given)))) return false;
  return isQuoted || (await index.nameOf(kind, id)) === undefined;
}

/** By the id of the owner. An id that no file has is that of the store, whose record the folder has under its name. */
export async function rowsByOwner(
  index: FolderIndex,
  join: FolderJoin['join'],
): Promise<ReadonlyMap<number | string, readonly JoinRow[]>> {
  const [[column, kind]] = joinEnds[join];
  const byOwner = new Map<number | string, JoinRow[]>();
  for (const row of index.joins.get(join) ?? []) {
    const id = await ownerOf(row.values[column]);
    const rows = byOwner.get(id) ?? [];
    byOwner.set(id, rows);
    rows.push(row);
  }
  return byOwner;

  async function ownerOf(given: FileValue | undefined): Promise<number | string> {
    const [id, name] = [idIn(given), textIn(given)];
    if (id === null) return (kind === 'resources' ? index.resourceAt('web', name) : index.ownId(kind, name)) ?? 0;
    if (kind === 'resources' || index.isTaken(kind, id)) return id;
    const stored = await index.nameOf(kind, id);
    return (typeof stored === 'string' ? index.ownId(kind, stored) : undefined) ?? id;
  }
}
