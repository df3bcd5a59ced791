/**
 * The settings that content rules read, with the values of the CMS's installer; friendly URLs are on, aliases ASCII.
 */

interface SeedSetting {
  readonly key: string;
  readonly value: string;
  readonly xtype: string;
  readonly area: string;
}

function text(area: string, values: Readonly<Record<string, string>>): SeedSetting[] {
  return Object.entries(values).map(([key, value]) => ({ key, value, xtype: 'textfield', area }));
}

function number(area: string, values: Readonly<Record<string, number>>): SeedSetting[] {
  return Object.entries(values).map(([key, value]) => ({ key, value: String(value), xtype: 'numberfield', area }));
}

function flag(area: string, values: Readonly<Record<string, boolean>>): SeedSetting[] {
  return Object.entries(values).map(([key, on]) => ({ key, value: on ? '1' : '0', xtype: 'combo-boolean', area }));
}

export const settings: readonly SeedSetting[] = [
  ...flag('furls', {
    automatic_alias: true,
    friendly_alias_lowercase_only: true,
    friendly_alias_strip_element_tags: true,
    friendly_urls: true,
    global_duplicate_uri_check: false,
    use_alias_path: true,
    use_frozen_parent_uris: false,
  }),
  ...number('furls', { friendly_alias_max_length: 0 }),
  ...text('furls', {
    container_suffix: '/',
    friendly_alias_restrict_chars: 'pattern',
    friendly_alias_restrict_chars_pattern: '/[\\0\\x0B\\t\\n\\r\\f\\a&=+%#<>"~:`@\\?\\[\\]\\{\\}\\|\\^\'\\\\]/',
    friendly_alias_translit: 'ascii',
    friendly_alias_translit_class: 'translit.modTransliterate',
    friendly_alias_trim_chars: '/.-_',
    friendly_alias_word_delimiter: '-',
    friendly_alias_word_delimiters: '-_',
  }),
  ...flag('language', { use_multibyte: true }),
  ...flag('site', {
    auto_isfolder: true,
    auto_menuindex: true,
    hidemenu_default: false,
    publish_default: false,
    search_default: true,
    symlink_merge_fields: true,
  }),
  ...number('site', {
    default_content_type: 1,
    default_template: 0,
    error_page: 1,
    site_start: 1,
    site_unavailable_page: 0,
    unauthorized_page: 1,
  }),
  ...text('site', { default_context: 'web' }),
  ...flag('caching', { cache_alias_map: true, cache_default: true }),
  ...flag('manager', { richtext_default: true }),
  ...text('manager', { manipulatable_url_tv_output_types: 'image,file' }),
  ...flag('authentication', { access_resource_group_enabled: true }),
  ...number('authentication', { blocked_minutes: 60, failed_login_attempts: 5 }),
];
