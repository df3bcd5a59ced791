CREATE TABLE `hcd_copy` (
  `name` TEXT NOT NULL,
  `state` TEXT NOT NULL,
  `position` TEXT NULL DEFAULT NULL,
  `copied` INTEGER NOT NULL,
  `digest` TEXT NOT NULL,
  `updated_at` INTEGER NOT NULL,
  PRIMARY KEY (`name`)
) STRICT;
CREATE TABLE hcd_migrations (name TEXT NOT NULL PRIMARY KEY, started_at INTEGER NOT NULL, applied_at INTEGER NULL) STRICT;
CREATE TABLE `hcd_state` (
  `key` TEXT NOT NULL,
  `value` TEXT NOT NULL,
  `updated_at` INTEGER NOT NULL,
  PRIMARY KEY (`key`)
) STRICT;
CREATE TABLE `modx_access_category` (
  `id` INTEGER PRIMARY KEY AUTOINCREMENT,
  `target` TEXT NOT NULL DEFAULT '',
  `principal_class` TEXT NOT NULL DEFAULT 'MODX\Revolution\modPrincipal',
  `principal` INTEGER NOT NULL DEFAULT 0,
  `authority` INTEGER NOT NULL DEFAULT 9999,
  `policy` INTEGER NOT NULL DEFAULT 0,
  `context_key` TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE TABLE `modx_access_context` (
  `id` INTEGER PRIMARY KEY AUTOINCREMENT,
  `target` TEXT NOT NULL DEFAULT '',
  `principal_class` TEXT NOT NULL DEFAULT 'MODX\Revolution\modPrincipal',
  `principal` INTEGER NOT NULL DEFAULT 0,
  `authority` INTEGER NOT NULL DEFAULT 9999,
  `policy` INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE TABLE `modx_access_permissions` (
  `id` INTEGER PRIMARY KEY AUTOINCREMENT,
  `template` INTEGER NOT NULL DEFAULT 0,
  `name` TEXT NOT NULL DEFAULT '',
  `description` TEXT NOT NULL,
  `value` INTEGER NOT NULL DEFAULT 1
) STRICT;
CREATE TABLE `modx_access_policies` (
  `id` INTEGER PRIMARY KEY AUTOINCREMENT,
  `name` TEXT NOT NULL,
  `description` TEXT NULL DEFAULT NULL,
  `parent` INTEGER NOT NULL DEFAULT 0,
  `template` INTEGER NOT NULL DEFAULT 0,
  `class` TEXT NOT NULL DEFAULT '',
  `data` TEXT NULL DEFAULT NULL,
  `lexicon` TEXT NOT NULL DEFAULT 'permissions'
) STRICT;
CREATE TABLE `modx_access_policy_templates` (
  `id` INTEGER PRIMARY KEY AUTOINCREMENT,
  `template_group` INTEGER NOT NULL DEFAULT 0,
  `name` TEXT NOT NULL DEFAULT '',
  `description` TEXT NULL DEFAULT NULL,
  `lexicon` TEXT NOT NULL DEFAULT 'permissions'
) STRICT;
CREATE TABLE `modx_access_resource_groups` (
  `id` INTEGER PRIMARY KEY AUTOINCREMENT,
  `target` TEXT NOT NULL DEFAULT '',
  `principal_class` TEXT NOT NULL DEFAULT 'MODX\Revolution\modPrincipal',
  `principal` INTEGER NOT NULL DEFAULT 0,
  `authority` INTEGER NOT NULL DEFAULT 9999,
  `policy` INTEGER NOT NULL DEFAULT 0,
  `context_key` TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE TABLE `modx_categories` (
  `id` INTEGER PRIMARY KEY AUTOINCREMENT,
  `parent` INTEGER NULL DEFAULT 0,
  `category` TEXT NOT NULL DEFAULT '',
  `rank` INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE TABLE `modx_categories_closure` (
  `ancestor` INTEGER NOT NULL DEFAULT 0,
  `descendant` INTEGER NOT NULL DEFAULT 0,
  `depth` INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (`ancestor`, `descendant`)
) STRICT;
CREATE TABLE `modx_content_type` (
  `id` INTEGER PRIMARY KEY AUTOINCREMENT,
  `name` TEXT NOT NULL,
  `description` TEXT NULL DEFAULT NULL,
  `mime_type` TEXT NULL DEFAULT NULL,
  `file_extensions` TEXT NULL DEFAULT NULL,
  `icon` TEXT NULL DEFAULT NULL,
  `headers` TEXT NULL DEFAULT NULL,
  `binary` INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE TABLE `modx_context` (
  `key` TEXT NOT NULL,
  `name` TEXT NULL DEFAULT NULL,
  `description` TEXT NULL DEFAULT NULL,
  `rank` INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (`key`)
) STRICT;
CREATE TABLE `modx_context_resource` (
  `context_key` TEXT NOT NULL,
  `resource` INTEGER NOT NULL,
  PRIMARY KEY (`context_key`, `resource`)
) STRICT;
CREATE TABLE `modx_context_setting` (
  `context_key` TEXT NOT NULL,
  `key` TEXT NOT NULL,
  `value` TEXT NULL DEFAULT NULL,
  `xtype` TEXT NOT NULL DEFAULT 'textfield',
  `namespace` TEXT NOT NULL DEFAULT 'core',
  `area` TEXT NOT NULL DEFAULT '',
  `editedon` TEXT NULL DEFAULT NULL,
  PRIMARY KEY (`context_key`, `key`)
) STRICT;
CREATE TABLE `modx_document_groups` (
  `id` INTEGER PRIMARY KEY AUTOINCREMENT,
  `document_group` INTEGER NOT NULL DEFAULT 0,
  `document` INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE TABLE `modx_documentgroup_names` (
  `id` INTEGER PRIMARY KEY AUTOINCREMENT,
  `name` TEXT NOT NULL DEFAULT '',
  `private_memgroup` INTEGER NOT NULL DEFAULT 0,
  `private_webgroup` INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE TABLE `modx_manager_log` (
  `id` INTEGER PRIMARY KEY AUTOINCREMENT,
  `user` INTEGER NOT NULL DEFAULT 0,
  `occurred` TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP,
  `action` TEXT NOT NULL DEFAULT '',
  `classKey` TEXT NOT NULL DEFAULT '',
  `item` TEXT NOT NULL DEFAULT '0'
) STRICT;
CREATE TABLE `modx_media_sources` (
  `id` INTEGER PRIMARY KEY AUTOINCREMENT,
  `name` TEXT NOT NULL DEFAULT '',
  `description` TEXT NULL DEFAULT NULL,
  `class_key` TEXT NOT NULL DEFAULT 'MODX\Revolution\Sources\modFileMediaSource',
  `properties` TEXT NULL DEFAULT NULL,
  `is_stream` INTEGER NOT NULL DEFAULT 1
) STRICT;
CREATE TABLE `modx_media_sources_elements` (
  `source` INTEGER NOT NULL DEFAULT 0,
  `object_class` TEXT NOT NULL DEFAULT 'MODX\Revolution\modTemplateVar',
  `object` INTEGER NOT NULL DEFAULT 0,
  `context_key` TEXT NOT NULL DEFAULT 'web',
  PRIMARY KEY (`source`, `object`, `object_class`, `context_key`)
) STRICT;
CREATE TABLE `modx_member_groups` (
  `id` INTEGER PRIMARY KEY AUTOINCREMENT,
  `user_group` INTEGER NOT NULL DEFAULT 0,
  `member` INTEGER NOT NULL DEFAULT 0,
  `role` INTEGER NOT NULL DEFAULT 1,
  `rank` INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE TABLE `modx_membergroup_names` (
  `id` INTEGER PRIMARY KEY AUTOINCREMENT,
  `name` TEXT NOT NULL DEFAULT '',
  `description` TEXT NULL DEFAULT NULL,
  `parent` INTEGER NOT NULL DEFAULT 0,
  `rank` INTEGER NOT NULL DEFAULT 0,
  `dashboard` INTEGER NOT NULL DEFAULT 1
) STRICT;
CREATE TABLE `modx_namespaces` (
  `name` TEXT NOT NULL DEFAULT '',
  `path` TEXT NULL DEFAULT NULL,
  `assets_path` TEXT NULL DEFAULT NULL,
  PRIMARY KEY (`name`)
) STRICT;
CREATE TABLE `modx_session` (
  `id` TEXT NOT NULL DEFAULT '',
  `access` INTEGER NOT NULL,
  `data` TEXT NULL DEFAULT NULL,
  PRIMARY KEY (`id`)
) STRICT;
CREATE TABLE `modx_site_content` (
  `id` INTEGER PRIMARY KEY AUTOINCREMENT,
  `type` TEXT NOT NULL DEFAULT 'document',
  `pagetitle` TEXT NOT NULL DEFAULT '',
  `longtitle` TEXT NOT NULL DEFAULT '',
  `description` TEXT NOT NULL,
  `alias` TEXT NULL DEFAULT '',
  `link_attributes` TEXT NOT NULL DEFAULT '',
  `published` INTEGER NOT NULL DEFAULT 0,
  `pub_date` INTEGER NOT NULL DEFAULT 0,
  `unpub_date` INTEGER NOT NULL DEFAULT 0,
  `parent` INTEGER NOT NULL DEFAULT 0,
  `isfolder` INTEGER NOT NULL DEFAULT 0,
  `introtext` TEXT NULL DEFAULT NULL,
  `content` TEXT NULL DEFAULT NULL,
  `richtext` INTEGER NOT NULL DEFAULT 1,
  `template` INTEGER NOT NULL DEFAULT 0,
  `menuindex` INTEGER NOT NULL DEFAULT 0,
  `searchable` INTEGER NOT NULL DEFAULT 1,
  `cacheable` INTEGER NOT NULL DEFAULT 1,
  `createdby` INTEGER NOT NULL DEFAULT 0,
  `createdon` INTEGER NOT NULL DEFAULT 0,
  `editedby` INTEGER NOT NULL DEFAULT 0,
  `editedon` INTEGER NOT NULL DEFAULT 0,
  `deleted` INTEGER NOT NULL DEFAULT 0,
  `deletedon` INTEGER NOT NULL DEFAULT 0,
  `deletedby` INTEGER NOT NULL DEFAULT 0,
  `publishedon` INTEGER NOT NULL DEFAULT 0,
  `publishedby` INTEGER NOT NULL DEFAULT 0,
  `menutitle` TEXT NOT NULL DEFAULT '',
  `content_dispo` INTEGER NOT NULL DEFAULT 0,
  `hidemenu` INTEGER NOT NULL DEFAULT 0,
  `class_key` TEXT NOT NULL DEFAULT 'MODX\Revolution\modDocument',
  `context_key` TEXT NOT NULL DEFAULT 'web',
  `content_type` INTEGER NOT NULL DEFAULT 1,
  `uri` TEXT NULL DEFAULT NULL,
  `uri_override` INTEGER NOT NULL DEFAULT 0,
  `hide_children_in_tree` INTEGER NOT NULL DEFAULT 0,
  `show_in_tree` INTEGER NOT NULL DEFAULT 1,
  `properties` TEXT NULL DEFAULT NULL,
  `alias_visible` INTEGER NOT NULL DEFAULT 1
) STRICT;
CREATE TABLE `modx_site_htmlsnippets` (
  `id` INTEGER PRIMARY KEY AUTOINCREMENT,
  `source` INTEGER NOT NULL DEFAULT 0,
  `property_preprocess` INTEGER NOT NULL DEFAULT 0,
  `name` TEXT NOT NULL DEFAULT '',
  `description` TEXT NOT NULL DEFAULT 'Chunk',
  `editor_type` INTEGER NOT NULL DEFAULT 0,
  `category` INTEGER NOT NULL DEFAULT 0,
  `cache_type` INTEGER NOT NULL DEFAULT 0,
  `snippet` TEXT NULL DEFAULT NULL,
  `locked` INTEGER NOT NULL DEFAULT 0,
  `properties` TEXT NULL DEFAULT NULL,
  `static` INTEGER NOT NULL DEFAULT 0,
  `static_file` TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE TABLE `modx_site_plugins` (
  `id` INTEGER PRIMARY KEY AUTOINCREMENT,
  `source` INTEGER NOT NULL DEFAULT 0,
  `property_preprocess` INTEGER NOT NULL DEFAULT 0,
  `name` TEXT NOT NULL DEFAULT '',
  `description` TEXT NOT NULL DEFAULT '',
  `editor_type` INTEGER NOT NULL DEFAULT 0,
  `category` INTEGER NOT NULL DEFAULT 0,
  `cache_type` INTEGER NOT NULL DEFAULT 0,
  `plugincode` TEXT NOT NULL,
  `locked` INTEGER NOT NULL DEFAULT 0,
  `properties` TEXT NULL DEFAULT NULL,
  `disabled` INTEGER NOT NULL DEFAULT 0,
  `moduleguid` TEXT NOT NULL DEFAULT '',
  `static` INTEGER NOT NULL DEFAULT 0,
  `static_file` TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE TABLE `modx_site_snippets` (
  `id` INTEGER PRIMARY KEY AUTOINCREMENT,
  `source` INTEGER NOT NULL DEFAULT 0,
  `property_preprocess` INTEGER NOT NULL DEFAULT 0,
  `name` TEXT NOT NULL DEFAULT '',
  `description` TEXT NOT NULL DEFAULT '',
  `editor_type` INTEGER NOT NULL DEFAULT 0,
  `category` INTEGER NOT NULL DEFAULT 0,
  `cache_type` INTEGER NOT NULL DEFAULT 0,
  `snippet` TEXT NULL DEFAULT NULL,
  `locked` INTEGER NOT NULL DEFAULT 0,
  `properties` TEXT NULL DEFAULT NULL,
  `moduleguid` TEXT NOT NULL DEFAULT '',
  `static` INTEGER NOT NULL DEFAULT 0,
  `static_file` TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE TABLE `modx_site_templates` (
  `id` INTEGER PRIMARY KEY AUTOINCREMENT,
  `source` INTEGER NOT NULL DEFAULT 0,
  `property_preprocess` INTEGER NOT NULL DEFAULT 0,
  `templatename` TEXT NOT NULL DEFAULT '',
  `description` TEXT NOT NULL DEFAULT '',
  `editor_type` INTEGER NOT NULL DEFAULT 0,
  `category` INTEGER NOT NULL DEFAULT 0,
  `icon` TEXT NOT NULL DEFAULT '',
  `template_type` INTEGER NOT NULL DEFAULT 0,
  `content` TEXT NOT NULL,
  `locked` INTEGER NOT NULL DEFAULT 0,
  `properties` TEXT NULL DEFAULT NULL,
  `static` INTEGER NOT NULL DEFAULT 0,
  `static_file` TEXT NOT NULL DEFAULT '',
  `preview_file` TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE TABLE `modx_site_tmplvar_access` (
  `id` INTEGER PRIMARY KEY AUTOINCREMENT,
  `tmplvarid` INTEGER NOT NULL DEFAULT 0,
  `documentgroup` INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE TABLE `modx_site_tmplvar_contentvalues` (
  `id` INTEGER PRIMARY KEY AUTOINCREMENT,
  `tmplvarid` INTEGER NOT NULL DEFAULT 0,
  `contentid` INTEGER NOT NULL DEFAULT 0,
  `value` TEXT NOT NULL
) STRICT;
CREATE TABLE `modx_site_tmplvar_templates` (
  `tmplvarid` INTEGER NOT NULL DEFAULT 0,
  `templateid` INTEGER NOT NULL DEFAULT 0,
  `rank` INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (`tmplvarid`, `templateid`)
) STRICT;
CREATE TABLE `modx_site_tmplvars` (
  `id` INTEGER PRIMARY KEY AUTOINCREMENT,
  `source` INTEGER NOT NULL DEFAULT 0,
  `property_preprocess` INTEGER NOT NULL DEFAULT 0,
  `type` TEXT NOT NULL DEFAULT '',
  `name` TEXT NOT NULL DEFAULT '',
  `caption` TEXT NOT NULL DEFAULT '',
  `description` TEXT NOT NULL DEFAULT '',
  `editor_type` INTEGER NOT NULL DEFAULT 0,
  `category` INTEGER NOT NULL DEFAULT 0,
  `locked` INTEGER NOT NULL DEFAULT 0,
  `elements` TEXT NULL DEFAULT NULL,
  `rank` INTEGER NOT NULL DEFAULT 0,
  `display` TEXT NOT NULL DEFAULT '',
  `default_text` TEXT NULL DEFAULT NULL,
  `properties` TEXT NULL DEFAULT NULL,
  `input_properties` TEXT NULL DEFAULT NULL,
  `output_properties` TEXT NULL DEFAULT NULL,
  `static` INTEGER NOT NULL DEFAULT 0,
  `static_file` TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE TABLE `modx_system_settings` (
  `key` TEXT NOT NULL DEFAULT '',
  `value` TEXT NOT NULL,
  `xtype` TEXT NOT NULL DEFAULT 'textfield',
  `namespace` TEXT NOT NULL DEFAULT 'core',
  `area` TEXT NOT NULL DEFAULT '',
  `editedon` TEXT NULL DEFAULT NULL,
  PRIMARY KEY (`key`)
) STRICT;
CREATE TABLE `modx_user_attributes` (
  `id` INTEGER PRIMARY KEY AUTOINCREMENT,
  `internalKey` INTEGER NOT NULL,
  `fullname` TEXT NOT NULL DEFAULT '',
  `email` TEXT NOT NULL DEFAULT '',
  `phone` TEXT NOT NULL DEFAULT '',
  `mobilephone` TEXT NOT NULL DEFAULT '',
  `blocked` INTEGER NOT NULL DEFAULT 0,
  `blockeduntil` INTEGER NOT NULL DEFAULT 0,
  `blockedafter` INTEGER NOT NULL DEFAULT 0,
  `logincount` INTEGER NOT NULL DEFAULT 0,
  `lastlogin` INTEGER NOT NULL DEFAULT 0,
  `thislogin` INTEGER NOT NULL DEFAULT 0,
  `failedlogincount` INTEGER NOT NULL DEFAULT 0,
  `sessionid` TEXT NOT NULL DEFAULT '',
  `dob` INTEGER NOT NULL DEFAULT 0,
  `gender` INTEGER NOT NULL DEFAULT 0,
  `address` TEXT NOT NULL,
  `country` TEXT NOT NULL DEFAULT '',
  `city` TEXT NOT NULL DEFAULT '',
  `state` TEXT NOT NULL DEFAULT '',
  `zip` TEXT NOT NULL DEFAULT '',
  `fax` TEXT NOT NULL DEFAULT '',
  `photo` TEXT NOT NULL DEFAULT '',
  `comment` TEXT NOT NULL,
  `website` TEXT NOT NULL DEFAULT '',
  `extended` TEXT NULL DEFAULT NULL
) STRICT;
CREATE TABLE `modx_user_group_roles` (
  `id` INTEGER PRIMARY KEY AUTOINCREMENT,
  `name` TEXT NOT NULL,
  `description` TEXT NULL DEFAULT NULL,
  `authority` INTEGER NOT NULL DEFAULT 9999
) STRICT;
CREATE TABLE `modx_user_group_settings` (
  `group` INTEGER NOT NULL DEFAULT 0,
  `key` TEXT NOT NULL,
  `value` TEXT NULL DEFAULT NULL,
  `xtype` TEXT NOT NULL DEFAULT 'textfield',
  `namespace` TEXT NOT NULL DEFAULT 'core',
  `area` TEXT NOT NULL DEFAULT '',
  `editedon` TEXT NULL DEFAULT NULL,
  PRIMARY KEY (`group`, `key`)
) STRICT;
CREATE TABLE `modx_user_settings` (
  `user` INTEGER NOT NULL DEFAULT 0,
  `key` TEXT NOT NULL DEFAULT '',
  `value` TEXT NULL DEFAULT NULL,
  `xtype` TEXT NOT NULL DEFAULT 'textfield',
  `namespace` TEXT NOT NULL DEFAULT 'core',
  `area` TEXT NOT NULL DEFAULT '',
  `editedon` TEXT NULL DEFAULT NULL,
  PRIMARY KEY (`user`, `key`)
) STRICT;
CREATE TABLE `modx_users` (
  `id` INTEGER PRIMARY KEY AUTOINCREMENT,
  `username` TEXT NOT NULL DEFAULT '',
  `password` TEXT NOT NULL DEFAULT '',
  `cachepwd` TEXT NOT NULL DEFAULT '',
  `class_key` TEXT NOT NULL DEFAULT 'MODX\Revolution\modUser',
  `active` INTEGER NOT NULL DEFAULT 1,
  `remote_key` TEXT NULL DEFAULT NULL,
  `remote_data` TEXT NULL DEFAULT NULL,
  `hash_class` TEXT NOT NULL DEFAULT 'MODX\Revolution\Hashing\modNative',
  `salt` TEXT NOT NULL DEFAULT '',
  `primary_group` INTEGER NOT NULL DEFAULT 0,
  `session_stale` TEXT NULL DEFAULT NULL,
  `sudo` INTEGER NOT NULL DEFAULT 0,
  `createdon` INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX `modx_access_category_rules_of_principal` ON `modx_access_category` (`principal`, `target`);
CREATE INDEX `modx_access_category_rules_of_target` ON `modx_access_category` (`target`, `principal`);
CREATE INDEX `modx_access_context_rules_of_principal` ON `modx_access_context` (`principal`, `target`);
CREATE INDEX `modx_access_context_rules_of_target` ON `modx_access_context` (`target`, `principal`);
CREATE INDEX `modx_access_permissions_template` ON `modx_access_permissions` (`template`);
CREATE UNIQUE INDEX `modx_access_policies_name` ON `modx_access_policies` (`name`);
CREATE INDEX `modx_access_resource_groups_rules_of_principal` ON `modx_access_resource_groups` (`principal`, `target`);
CREATE INDEX `modx_access_resource_groups_rules_of_target` ON `modx_access_resource_groups` (`target`, `principal`);
CREATE UNIQUE INDEX `modx_categories_category` ON `modx_categories` (`parent`, `category`);
CREATE INDEX `modx_categories_closure_ancestors` ON `modx_categories_closure` (`descendant`, `ancestor`);
CREATE UNIQUE INDEX `modx_content_type_name` ON `modx_content_type` (`name`);
CREATE INDEX `modx_document_groups_groups_of_resource` ON `modx_document_groups` (`document`, `document_group`);
CREATE INDEX `modx_document_groups_resources_of_group` ON `modx_document_groups` (`document_group`, `document`);
CREATE UNIQUE INDEX `modx_documentgroup_names_name` ON `modx_documentgroup_names` (`name`);
CREATE INDEX `modx_manager_log_user_occurred` ON `modx_manager_log` (`user`, `occurred`);
CREATE INDEX `modx_media_sources_elements_source_of_element` ON `modx_media_sources_elements` (`object`, `context_key`);
CREATE INDEX `modx_media_sources_name` ON `modx_media_sources` (`name`);
CREATE INDEX `modx_member_groups_groups_of_user` ON `modx_member_groups` (`member`, `user_group`);
CREATE INDEX `modx_member_groups_users_of_group` ON `modx_member_groups` (`user_group`, `member`);
CREATE UNIQUE INDEX `modx_membergroup_names_name` ON `modx_membergroup_names` (`name`);
CREATE INDEX `modx_session_access` ON `modx_session` (`access`);
CREATE INDEX `modx_site_content_alias` ON `modx_site_content` (`alias`);
CREATE INDEX `modx_site_content_children` ON `modx_site_content` (`parent`, `menuindex`, `id`);
CREATE INDEX `modx_site_content_class_key` ON `modx_site_content` (`class_key`);
CREATE INDEX `modx_site_content_page_by_uri` ON `modx_site_content` (`context_key`, `uri`, `published`, `deleted`);
CREATE INDEX `modx_site_content_pub_date` ON `modx_site_content` (`pub_date`);
CREATE INDEX `modx_site_content_unpub_date` ON `modx_site_content` (`unpub_date`);
CREATE INDEX `modx_site_content_visible` ON `modx_site_content` (`context_key`, `published`, `deleted`, `id`);
CREATE INDEX `modx_site_content_visible_by_createdon` ON `modx_site_content` (`context_key`, `published`, `deleted`, `createdon`, `id`);
CREATE INDEX `modx_site_content_visible_by_editedon` ON `modx_site_content` (`context_key`, `published`, `deleted`, `editedon`, `id`);
CREATE INDEX `modx_site_content_visible_by_menuindex` ON `modx_site_content` (`context_key`, `published`, `deleted`, `menuindex`, `id`);
CREATE INDEX `modx_site_content_visible_by_pagetitle` ON `modx_site_content` (`context_key`, `published`, `deleted`, `pagetitle`, `id`);
CREATE INDEX `modx_site_content_visible_by_publishedon` ON `modx_site_content` (`context_key`, `published`, `deleted`, `publishedon`, `id`);
CREATE INDEX `modx_site_content_visible_by_template` ON `modx_site_content` (`context_key`, `published`, `deleted`, `template`, `id`);
CREATE INDEX `modx_site_content_visible_children` ON `modx_site_content` (`context_key`, `published`, `deleted`, `parent`, `menuindex`, `id`);
CREATE INDEX `modx_site_htmlsnippets_category` ON `modx_site_htmlsnippets` (`category`);
CREATE UNIQUE INDEX `modx_site_htmlsnippets_name` ON `modx_site_htmlsnippets` (`name`);
CREATE INDEX `modx_site_plugins_category` ON `modx_site_plugins` (`category`);
CREATE UNIQUE INDEX `modx_site_plugins_name` ON `modx_site_plugins` (`name`);
CREATE INDEX `modx_site_snippets_category` ON `modx_site_snippets` (`category`);
CREATE UNIQUE INDEX `modx_site_snippets_name` ON `modx_site_snippets` (`name`);
CREATE INDEX `modx_site_templates_category` ON `modx_site_templates` (`category`);
CREATE UNIQUE INDEX `modx_site_templates_templatename` ON `modx_site_templates` (`templatename`);
CREATE INDEX `modx_site_tmplvar_access_tmplvar_template` ON `modx_site_tmplvar_access` (`tmplvarid`, `documentgroup`);
CREATE UNIQUE INDEX `modx_site_tmplvar_contentvalues_tv_cnt` ON `modx_site_tmplvar_contentvalues` (`tmplvarid`, `contentid`);
CREATE INDEX `modx_site_tmplvar_contentvalues_values_of_resource` ON `modx_site_tmplvar_contentvalues` (`contentid`, `tmplvarid`);
CREATE INDEX `modx_site_tmplvar_templates_tvs_of_template` ON `modx_site_tmplvar_templates` (`templateid`, `rank`, `tmplvarid`);
CREATE INDEX `modx_site_tmplvars_category` ON `modx_site_tmplvars` (`category`);
CREATE UNIQUE INDEX `modx_site_tmplvars_name` ON `modx_site_tmplvars` (`name`);
CREATE UNIQUE INDEX `modx_user_attributes_internalKey` ON `modx_user_attributes` (`internalKey`);
CREATE UNIQUE INDEX `modx_user_group_roles_authority` ON `modx_user_group_roles` (`authority`);
CREATE UNIQUE INDEX `modx_user_group_roles_name` ON `modx_user_group_roles` (`name`);
CREATE UNIQUE INDEX `modx_users_username` ON `modx_users` (`username`);
