/** Settings of the sample site. Those that name a page do so by its key. */
import type { ContentSettings } from '../../content/settings.js';

/** What URIs and aliases of the sample depend on. Its names keep their letters, as on a site with a past. */
export const furlSettings: ContentSettings = new Map([
  ['friendly_urls', '1'],
  ['use_alias_path', '1'],
  ['automatic_alias', '1'],
  ['container_suffix', '/'],
  ['use_frozen_parent_uris', '0'],
  ['global_duplicate_uri_check', '0'],
  ['friendly_alias_lowercase_only', '1'],
  ['friendly_alias_restrict_chars', 'pattern'],
  ['friendly_alias_restrict_chars_pattern', '/[\\0\\x0B\\t\\n\\r\\f\\a&=+%#<>"~:`@\\?\\[\\]\\{\\}\\|\\^\'\\\\]/'],
  ['friendly_alias_trim_chars', '/.-_'],
  ['friendly_alias_word_delimiter', '-'],
  ['friendly_alias_word_delimiters', '-_'],
  ['use_multibyte', '1'],
]);

/** Setting -> [value, area]. */
export const siteSettings: Readonly<Record<string, readonly [value: string, area: string]>> = {
  site_name: ['Larkfell Outfitters', 'site'],
  site_url: ['https://www.larkfell.example/', 'site'],
  site_status: ['1', 'site'],
  default_template: ['2', 'site'],
  publish_default: ['0', 'site'],
  emailsender: ['desk@larkfell.example', 'mail'],
  cultureKey: ['en', 'language'],
  locale: ['en_GB.UTF-8', 'language'],
  manager_language: ['en', 'language'],
  date_timezone: ['Europe/Dublin', 'system'],
  settings_version: ['3.1.0-pl', 'system'],
  // As in an empty store: what is added to the sample gets an alias of ASCII letters.
  friendly_alias_translit: ['ascii', 'furls'],
  session_handler_class: ['MODX\\Revolution\\modSessionHandler', 'session'],
  session_name: ['larkfell', 'session'],
  session_cookie_lifetime: ['604800', 'session'],
  session_gc_maxlifetime: ['604800', 'session'],
  session_cookie_httponly: ['1', 'session'],
  session_cookie_samesite: ['Lax', 'session'],
  anonymous_sessions: ['0', 'session'],
  access_resource_group_enabled: ['1', 'authentication'],
  access_context_enabled: ['1', 'authentication'],
  manipulatable_url_tv_output_types: ['image,file', 'manager'],
  banners_track_impressions: ['1', 'banners'],
};

export const pageSettings: Readonly<Record<string, string>> = {
  site_start: 'home',
  error_page: 'not-found',
  unauthorized_page: 'members-notice',
  site_unavailable_page: 'unavailable',
};

/** Context -> setting -> value. */
export const contextSettings: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  web: { base_url: '/', catalogue_currency: 'EUR' },
  journal: {
    base_url: '/journal/',
    cultureKey: 'en',
    http_host: 'journal.larkfell.example',
    site_name: 'The Larkfell Journal',
    site_url: 'https://journal.larkfell.example/',
  },
};

export const contextPageSettings: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  journal: { site_start: 'journal-home', error_page: 'journal-not-found' },
};
