/** The snippets of the sample site: PHP source as text, which nothing here ever runs. */
import type { CategoryName } from './templates.js';

export interface SampleSnippet {
  readonly name: string;
  readonly category: CategoryName;
  readonly description: string;
  readonly php: string;
}

function snippet(category: CategoryName, name: string, rest: { description: string; php: string }): SampleSnippet {
  return { name, category, ...rest };
}

const children = `$parent = (int) $modx->getOption('parent', $scriptProperties, $modx->resource->get('id'));
$query = $modx->newQuery('modResource', ['parent' => $parent, 'published' => 1, 'deleted' => 0]);
$query->sortby('menuindex');
$rows = '';
foreach ($modx->getIterator('modResource', $query) as $child) {
    $rows .= $modx->getChunk($modx->getOption('row', $scriptProperties, 'card'), $child->toArray());
}
return $rows;`;

export const snippets: readonly SampleSnippet[] = [
  snippet('Layout', 'mainMenu', {
    description: 'Menu below a page, down to a depth',
    php: children.replace("'card'", "'menu-row'"),
  }),
  snippet('Layout', 'childCards', { description: 'Cards of all children', php: children }),
  snippet('Layout', 'crumbs', {
    description: 'Path from the front page to here',
    php: `$out = '';\nforeach (array_reverse($modx->getParentIds($modx->resource->get('id'))) as $id) {\n    if ($id === 0) continue;\n    $page = $modx->getObject('modResource', $id);\n    $out .= $modx->getChunk('breadcrumb', ['link' => $modx->makeUrl($id), 'title' => $page->get('pagetitle')]);\n}\nreturn $out;`,
  }),
  snippet('Content', 'latestPages', {
    description: 'The newest published pages',
    php: `$limit = min(20, (int) $modx->getOption('limit', $scriptProperties, 4));\n$query = $modx->newQuery('modResource', ['published' => 1, 'deleted' => 0, 'hidemenu' => 0]);\n$query->sortby('publishedon', 'DESC');\n$query->limit($limit);\n$out = '';\nforeach ($modx->getIterator('modResource', $query) as $page) $out .= $modx->getChunk('card', $page->toArray());\nreturn $out;`,
  }),
  snippet('Content', 'relatedPages', {
    description: 'The page of the variable relatedPage',
    php: `$id = (int) $modx->resource->getTVValue('relatedPage');\nif ($id === 0) return '';\n$page = $modx->getObject('modResource', $id);\nreturn $page ? '<ul>' . $modx->getChunk('related-row', $page->toArray()) . '</ul>' : '';`,
  }),
  snippet('Catalogue', 'productTable', {
    description: 'Products below a range, with price and weight',
    php: `$rows = '';\nforeach ($modx->getChildIds((int) $parent, 1) as $id) {\n    $page = $modx->getObject('modResource', $id);\n    if (!$page || !$page->get('published')) continue;\n    $rows .= '<tr><td>' . $page->get('pagetitle') . '</td><td>' . $page->getTVValue('price') . '</td></tr>';\n}\nreturn $rows === '' ? '' : '<table>' . $rows . '</table>';`,
  }),
  snippet('Catalogue', 'migxRows', {
    description: 'Rows of a MIGX variable',
    php: `$rows = json_decode((string) $modx->resource->getTVValue($tv), true) ?: [];\n$out = '';\nforeach ($rows as $row) $out .= $modx->getChunk($modx->getOption('row', $scriptProperties, 'spec-row'), $row);\nreturn $out;`,
  }),
  snippet('Journal', 'tagCloud', {
    description: 'Links for a comma list of tags',
    php: `$out = [];\nforeach (array_filter(array_map('trim', explode(',', $tags))) as $tag) $out[] = $modx->getChunk('tag-link', ['tag' => $tag]);\nreturn implode(' ', $out);`,
  }),
  snippet('Members', 'userName', {
    description: 'Full name of a user, or of the visitor',
    php: `$id = (int) $modx->getOption('id', $scriptProperties, 0);\n$user = $id > 0 ? $modx->getObject('modUser', $id) : $modx->user;\n$profile = $user ? $user->getOne('Profile') : null;\nreturn $profile ? $profile->get('fullname') : 'Guest';`,
  }),
  snippet('Technical', 'feedEntries', {
    description: 'Entries of the news feed',
    php: `$query = $modx->newQuery('modResource', ['published' => 1, 'deleted' => 0]);\n$query->sortby('editedon', 'DESC');\n$query->limit(20);\n$out = '';\nforeach ($modx->getIterator('modResource', $query) as $page) $out .= $modx->getChunk('feed-entry', $page->toArray());\nreturn $out;`,
  }),
];
