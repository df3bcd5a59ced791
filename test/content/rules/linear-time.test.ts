/** Holds every exported function that takes a text of any length to time that grows no faster than the text. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startPlace } from '../../../src/pages/rules/template-html.js';
import { listFiles, repository } from '../../architecture/source-file.js';

const readings = ['resolve-texts', 'translations'].map((name) => `src/content/reading/${name}.ts`);
const files = ['src/content/live/mutation.ts', 'src/operations/transfer/folder-file.ts', ...readings];
const folders = ['src/values', 'src/content/rules', 'src/http/interface', ...files];

/** Texts that have made functions slow: each is repeated, alone or with a part before and after. */
const shapes: readonly (readonly [name: string, before: string, repeated: string, after: string])[] = [
  ['slashes', '', '/', 'x'],
  ['a letter and slashes', 'x', '/', 'x'],
  ['spaces', 'x', ' ', 'x'],
  ['white space', 'x', '\t\n ', 'x'],
  ['digits', '', '1', 'x'],
  ['digits with dots', '', '1.', 'x'],
  ['zeros of a time', '2024-02-29 ', '0', 'x'],
  ['brackets', '', '[', ''],
  ['brackets that close', '[', ']', ''],
  ['tags of the CMS', '', '[[', ''],
  ['links of the CMS', '', '[[~1? ', ''],
  ['tags that end', '', '[[a]]', ''],
  ['nested tags', '[[', '[[a]]', ']]'],
  ['tags in tags', '', '[[*a:default=`', '`]]'.repeat(1000)],
  ['tags in tags of which none ends', '', '[[*a:default=`', ']]'],
  ['filters', '[[*a', ':ucase', ']]'],
  ['parameters', '[[~1?', '&a=`1`', ']]'],
  ['forms of dates', '', '%Y', ''],
  ['tags of HTML', '', '<', ''],
  ['elements', '', '<a href="', ''],
  ['attributes', '<a ', 'href=x ', ''],
  ['addresses of sizes', '<img srcset="', 'a.jpg 1x,', '">'],
  ['commas in sizes', '<img srcset="', ',', '">'],
  ['addresses in styles', '<p style="', 'url(', '">'],
  ['addresses in styles with spaces', '<p style="', 'url(  ', '">'],
  ['scripts', '', '<script', ''],
  ['comments', '', '<!--', ''],
  ['ampersands', '', '&', ''],
  ['references', '', '&#1', ''],
  ['quotes', '', '"', ''],
  ['single quotes', '<a b=', "'", ''],
  ['backslashes', '"', '\\', ''],
  ['a text of JSON with backslashes', '"', '\\\\', '"'],
  ['JSON with tags', '["', '[[~1]]<a href=x>', '"]'],
  ['lists in JSON', '', '["', ''],
  ['combining marks', 'a', '\u0301\u0323', ''],
  ['marks of half width', '\u304b', '\uff9e\uff9f', ''],
  ['invisible signs', 'a', '\u00ad\u200b', 'b'],
  ['words', '', 'ab ', ''],
  ['one word', '', 'é', ''],
  ['words of the CMS', '@INHERIT', ' ', 'x'],
  ['bindings', '', '@INHERIT ', ''],
  ['texts in texts', '"@', '\\"', '"'],
  ['commas', '', ',', ''],
  ['pairs', '', '&a=', ''],
  ['semicolons', '', 'a=b; ', ''],
  ['percent signs', '', '%', ''],
  ['colons', '', ':', ''],
  ['dots', '', '.', ''],
  ['values of PHP', '', 'a:1:{i:0;', ''],
  ['lists', '', 'a||', ''],
  ['mixed signs', '', '[[<&"\\/ 1\u0301', ''],
];

type Work = (text: string) => unknown;
type Exported = (...given: readonly unknown[]) => never;

const uriSettings = (exported: Exported) => (exported as (all: unknown) => { settings: never })(new Map());
const direct = (call: Exported): Work => call;
const given =
  (...more: readonly unknown[]) =>
  (call: Exported): Work =>
  (text) =>
    call(text, ...more);
const pairsOf = (text: string) => text.match(/.{1,8}/gs)?.map((part) => [part, part] as const) ?? [];
const source = { classKey: 'modS3MediaSource', properties: null };
const resource = { id: 1, pagetitle: 'x', alias_visible: true, parent: 0, context_key: 'web', content_type: 1 };

/** How each function is called with a text; a list where only several texts are long. */
const works: Readonly<Record<string, (call: Exported, module: Readonly<Record<string, Exported>>) => Work>> = {
  'text#isStorable': direct,
  'text#escapeHtml': direct,
  'text#escapeControls': direct,
  'text#escapeLines': direct,
  'text#capLength': given(1000),
  'text#snakeCase': direct,
  'double-encoding#repairedText': direct,
  'double-encoding#storedForms': (call) => (text) => (call as (values: unknown) => unknown)([text]),
  'double-encoding#hasDoubleEncoding': direct,
  'dates#timeSeconds': direct,
  'folder-file#parseFile': direct,
  'folder-file#parseYaml': (call) => (text) =>
    call(
      pairsOf(text)
        .map(([value], at) => `k${at}: ${JSON.stringify(value)}`)
        .join('\n'),
    ),
  'dates#parseTime': direct,
  'dates#parseOptionalTime': direct,
  'json-tree#readJsonTree': given('a file'),
  'json#parseJson': direct,
  'reading#readText': (call) => (text) =>
    call({ value: text, path: '', problems: { add: () => undefined } }, text.length),
  'reading#pathBelow': (call) => (text) => (call as (...all: unknown[]) => unknown)('$', text),
  'reading#quoted': direct,
  'unsigned#isIdText': direct,
  'text#parseUrl': direct,
  'json-reader#readStrictJson': direct,
  'text#trimOf': given('/ \t\n'),
  'text#trimStartOf': given('/ \t\n'),
  'text#trimEndOf': given('/ \t\n'),
  'text#wordList': direct,
  'alias-pattern#parseAliasPattern': (call) => (text) => call(`/[${text}]/`),
  'alias#cleanAlias': (call, { readAliasOptions }) => {
    const { options } = (readAliasOptions as (all: unknown) => { options: unknown })(new Map());
    return (text) => call(text, options);
  },
  'element-tags#firstTag': direct,
  'element-tags#replaceTags':
    (call, { readTag }) =>
    (text) =>
      (call as (...all: unknown[]) => unknown)(
        text,
        ({ levels, inner }: { readonly levels: number; readonly inner: () => string }) =>
          levels <= 10 && readTag?.(inner()) !== null ? inner() : null,
      ),
  'element-tags#readTag': (call) => (text) => [call(`*a${text}`), call(`*a:is=\`${text}\`${text}`), call(`~1?${text}`)],
  'element-tags#stripTags': direct,
  'tag-filters#filterText': (call) => (text) =>
    [
      ...['upper', 'ucwords', 'ucfirst', 'limit', 'ellipsis', 'striptags', 'htmlent', 'date', 'is', 'contains', 'in'],
      ...['replace', 'stripString', 'strip', 'nl2br', 'urlencode', 'strlen', 'add', 'select', 'cdata'],
    ].map((name) =>
      (call as (...all: unknown[]) => unknown)(
        text,
        [{ name, value: name === 'ellipsis' ? `${text.length - 9}` : text }],
        { timeZone: 'UTC', locale: 'en-US' },
      ),
    ),
  'html-addresses#mapAddresses': given((address: string) => `/${address}`),
  'html-text#decodeEntities': direct,
  'html-text#encodeEntities': direct,
  'resolve-texts#textsWith': (call) => (text) => (call as (...all: unknown[]) => unknown)('tagsOrHtml', text),
  'resolve-texts#replaceTexts':
    (call, { textsWith }) =>
    (text) => {
      const texts = (textsWith as (...all: unknown[]) => unknown)('tagsOrHtml', text) as readonly object[];
      return call(
        text,
        texts.map((one) => ({ ...one, text: 'x' })),
      );
    },
  'linear-pattern#linearPattern': (call) => (text) => {
    const matches = (call as (pattern: string) => ((text: string) => boolean) | null)('^(a+)+x|[^ ]*b$');
    return [matches?.(text), call(text)];
  },
  'media-source#isFileSource': direct,
  'media-source#propertyTexts': direct,
  'media-source#mediaSourceUrls': (call) => (value) => {
    const urls = call({ source, settingOf: () => undefined }) as unknown as (text: string) => string;
    return urls(value);
  },
  'media-source#mediaFieldUrl': (call) => (text) =>
    call({ value: text, source: undefined, siteUrl: `http://${text}`, settingOf: () => undefined }),
  'php-value#parsePhpValue': direct,
  'php-value#parsePhpArray': direct,
  'php-value#phpBytes': direct,
  'php-value#readPhpValue': given(0),
  'php-value#serializePhpValue': direct,
  'tv-rules#tvProblem': given({ type: 'checkbox', elements: 'a||b', inputProperties: null }),
  'tv-rules#defaultProblem': (call) => (text) =>
    call({ type: 'option', elements: text, default_text: text, input_properties: text }),
  'tv-rules#ruleNames': direct,
  'tv-rules#tvAccepts': (call) => (text) => call({ type: 'option', elements: text, inputProperties: text }),
  'tv-rules#tvRulesText': (call) => (text) => call({ type: 'option', elements: text, inputProperties: text }),
  'php-value#isPhpWritable': direct,
  'php-value#jsonOfPhp': direct,
  'search-excerpt#excerptOf': (call) => (text) =>
    (call as (...all: unknown[]) => unknown)([text], { words: ['ab', 'zz'], title: ' ab zz ' }),
  'search-words#wordsOf': direct,
  'search-words#searchTerms': direct,
  'search-words#plainText': direct,
  'site-address#hostOf': given('https://a.example', 'https://b.example'),
  'site-address#layeredSetting': (call) => (text) =>
    call('site_url', { context: () => text, site: () => text, ownOfSite: { gateway_site_url: text } }),
  'site-address#sitePlace': (call) => (text) =>
    call((key: string) => `${key === 'site_url' ? 'http://x/' : ''}${text}`),
  'site-address#siteAddressOf': given({ origin: 'http://x', root: '/', files: '' }, 'absolute'),
  'html-text#stripHtmlTags': direct,
  'html-text#stripElementTags': direct,
  'tv-types#indexText': direct,
  'tv-types#indexReader': everyType,
  'tv-types#tvReader': everyType,
  'tv-types#tvKind': (call) => (elements) => call({ type: 'option', elements }),
  'tv-types#tvSchema': (call) => (elements) => call({ type: 'option', elements }),
  'tv-values#isBinding': direct,
  'tv-values#tvText': (call) => (text) =>
    ['text', 'date', 'tag'].map((type) => (call as (...all: unknown[]) => unknown)(text, { type, timeZone: 'UTC' })),
  'tv-values#isInherited': direct,
  'tv-values#evaluatedBinding': direct,
  'tv-values#addedBinding': (call) => (text) => (call as (...all: unknown[]) => unknown)(text, null),
  'tv-values#rawValue': (call) => (text) =>
    call({
      variable: { id: 1, defaultText: null },
      resourceId: 1,
      source: { stored: () => text, parentOf: () => undefined },
    }),
  'uri#computeUri': (call, { readUriSettings }) => {
    const { settings } = uriSettings(readUriSettings as Exported);
    const used = { ...(settings as object), friendlyUrls: true, useAliasPath: true, useFrozenParentUris: true };
    return (text) => {
      const own = { ...resource, alias: text, uri: null, uri_override: false, isfolder: true };
      const parent = { ...resource, alias: text, uri: text, uri_override: true };
      const contentType = { mime_type: 'text/html', file_extensions: text };
      return call({ resource: own, ancestors: [parent], contentType, settings: used });
    };
  },
  'redirect#readOldAddress': direct,
  'redirect#readTarget': direct,
  'translations#readTranslationLinks': direct,
  'translations#writeTranslationLinks': (call) => (text) => call(new Map([[text, 1]])),
  'uri#uriProblem': direct,
  'uri#pageCandidates': direct,
  'uri#decideAlias': (call, { readUriSettings }) => {
    const { settings } = uriSettings(readUriSettings as Exported);
    return (text) => call(text, text, settings);
  },
  'mutation#keyTag': (call) => (text) => (call as (...all: unknown[]) => unknown)('resources', text),
  'mutation#uriTag': direct,
  'mutation#objectTag': direct,
  'mutation#contextTag': direct,
  'request-headers#chooseMediaType': given(['text/html', 'application/json']),
  'request-headers#parseTrustedProxies': (call) => (text) => (call as (...all: unknown[]) => unknown)([text]),
  'request-headers#findClientIp': (call) => (text) => (call as (...all: unknown[]) => unknown)('10.0.0.1', text, []),
  'request-headers#isTrustedPeer': given([]),
  'request-headers#clientBlock': direct,
  'request-headers#clientNetwork': direct,
  'request-headers#peerName': direct,
  'request-headers#readBearer': (call) => (text) => call({ header: () => `Bearer ${text}` }),
  'request-headers#readKeyHeader': (call) => (text) => call({ header: () => text }),
  'request-headers#readCookie': given('session'),
  'request-headers#publicAddress': (call) => (configured) => call({}, { configured, site: () => null }),
  'request-headers#forwardedHost': direct,
  'request-headers#forwardedScheme': direct,
  'query-pairs#parseQuery': direct,
  'query-pairs#isReadable': direct,
  'query-pairs#canonicalQuery': (call) => (text) => (call as (all: unknown) => unknown)(pairsOf(text)),
};

function everyType(call: Exported): Work {
  const types = ['number', 'date', 'migx', 'resourcelist', 'checkbox', 'tag', 'text'];
  const readers = types.map(
    (type) => call({ type, elements: null }) as unknown as (text: string, zone: string) => unknown,
  );
  return (text) => readers.map((reader) => reader(text, 'Europe/Berlin'));
}

/** Functions, or all of a file, that take no text of any length. */
const others: Readonly<Record<string, string>> = {
  after: 'takes values',
  batches: 'takes lists',
  checked: 'passes values on',
  'dates#isoTimeOfSeconds': 'takes a number',
  'dates#isoTimeOfMs': 'takes a number',
  'dates#sqlTime': 'takes a number',
  'dates#timeText': 'takes a number',
  'find-cycles': 'takes ids',
  'text#countOf': 'takes a number',
  'folder-file': 'reads files; functions of texts are in the table',
  'json-reader#Items': 'keeps values',
  'json-reader#JsonFault': 'is an error',
  'json-reader#JsonReader': 'is called by readStrictJson and json-tree',
  'json-tree#faultText': 'takes a fault of the reader',
  json: 'takes values; parseJson is in the table',
  'kept-values': 'keeps values',
  reading: 'makes readers; functions of texts are in the table',
  'read-asset': 'takes names of our own files',
  'alias#isEmptyAlias': 'compares',
  'alias#loadTransliteration': 'takes nothing',
  'alias#readAliasOptions': 'takes settings, whose pattern is bounded',
  'media-source#mediaSourceProperty': 'takes properties; parsePhpArray is in the table',
  'resolve-texts': 'reads the store; functions of texts are in the table',
  translations: 'reads the store; functions of texts are in the table',
  joined: 'keeps work under way',
  publication: 'takes times',
  'search-words': 'takes words; functions of texts are in the table',
  settings: 'takes settings',
  'tv-types': 'takes a type; functions of texts are in the table',
  'tv-values#millisecondsAtSite': 'takes numbers',
  'tv-values#knownTimeZone': 'takes a setting, which the library looks up',
  uri: 'takes rows; functions of texts are in the table',
  statuses: 'takes codes',
  'site-address#usualContext': 'takes keys',
  mutation: 'takes rows; functions of texts are in the table',
  api: 'takes a caller, or origins, compared with a list',
  'request-headers#setCookie': 'takes our own values',
  'request-headers#readPreviewToken': 'refuses longer texts at once',
  endpoint: 'makes answers',
  'request-state': 'takes our own values',
  locate: 'takes a target, which the server bounds',
  openapi: 'describes our own endpoints',
  'query-pairs': 'takes an endpoint; functions of texts are in the table',
};

interface Found {
  readonly name: string;
  readonly file: string;
  readonly work: Exported;
  readonly module: Readonly<Record<string, Exported>>;
}

async function exportedFunctions(): Promise<readonly Found[]> {
  const paths = folders.flatMap((one) =>
    one.endsWith('.ts') ? [one] : listFiles(one, (name) => name.endsWith('.ts')),
  );
  const found: Found[] = [];
  for (const path of paths) {
    const module = (await import(join(repository, path))) as Readonly<Record<string, Exported>>;
    const file = path.replace(/^.*\/|\.ts$/g, '');
    for (const [name, work] of Object.entries(module)) {
      if (typeof work === 'function') found.push({ name: `${file}#${name}`, file, work, module });
    }
  }
  return found;
}

/**
 * A text of many times the length, read once, takes in linear time what the shorter one takes that is read as many
 * times, and in quadratic time as many times as long. Both need processor time of the same order, which other work on the
 * machine makes longer alike, and the best of several tries is compared. What takes no half of a millisecond says nothing. The
 * second step is for functions found in the first: V8 handles long results in another way, which costs up to six times.
 */
const steps = [
  { short: 512, times: 16, growth: 5 },
  { short: 16 * 1024, times: 4, growth: 2 },
];
const most = { tries: 5, unmeasured: 0.5 };

function milliseconds(work: Work, text: string, repeated: number): number {
  const start = process.cpuUsage();
  for (let round = 0; round < repeated; round += 1) {
    try {
      work(text);
    } catch {
      // A refusal is an answer too.
    }
  }
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

function slowShape(work: Work): string | null {
  const found = shapes.find(([, before, repeated, after]) => {
    const textOf = (length: number) => before + repeated.repeat(Math.ceil(length / repeated.length)) + after;
    return steps.every(({ short, times, growth }) => {
      let [least, best] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
      for (let tried = 0; tried < most.tries; tried += 1) {
        best = Math.min(best, milliseconds(work, textOf(short * times), 1));
        if (best < most.unmeasured) return false;
        least = Math.min(least, milliseconds(work, textOf(short), times));
        if (best < growth * least) return false;
      }
      return true;
    });
  });
  return found?.[0] ?? null;
}

test('knows every exported function of texts', async () => {
  const found = await exportedFunctions();
  const unknown = found.filter(({ name, file }) => !(name in works) && !(name in others) && !(file in others));
  expect(unknown.map(({ name }) => name)).toEqual([]);
  const names = new Set(found.flatMap(({ name, file }) => [name, file]));
  expect([...Object.keys(works), ...Object.keys(others)].filter((name) => !names.has(name))).toEqual([]);
});

test('finds functions that take more than linear time', () => {
  // As an expression that goes back at each sign, in a hundredth of its time.
  const readAgain = (text: string) => {
    const bytes = Buffer.from(text);
    let lines = 0;
    for (let from = 0; from < bytes.length; from += 16) {
      for (let at = from; at < bytes.length; at += 1) lines += bytes[at] === 10 ? 1 : 0;
    }
    return lines;
  };
  // Other work on the machine hides growth at times, and never makes any.
  const finds = (shape: string, work: Work) => Array.from({ length: 10 }).some(() => slowShape(work) === shape);
  expect(finds('slashes', readAgain)).toBe(true);
  expect(finds('digits', (text) => text.startsWith('1') && readAgain(text))).toBe(true);
  expect(slowShape((text) => text.split('/').length)).toBeNull();
});

test('has no function whose time grows faster than its text', { timeout: 300_000 }, async () => {
  const slow: string[] = [];
  for (const { name, work, module } of await exportedFunctions()) {
    const shape = works[name] === undefined ? null : slowShape(works[name](work, module));
    if (shape !== null) slow.push(`${name}: ${shape}`);
  }
  expect(slow).toEqual([]);
});

test('reads templates of pages in linear time', async () => {
  const { advance } = await import('../../../src/pages/rules/template-html.js');
  expect(slowShape((text) => advance(startPlace, text))).toBeNull();
});
