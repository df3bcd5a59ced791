#!/usr/bin/env node
/**
 * Builds the transport package of the extra for MODX, without MODX or PHP: `npm run build:modx [-- DIRECTORY]`. Equal
 * sources give an equal file, byte by byte. Prints its path.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { strToU8, zipSync } from 'fflate';

const here = fileURLToPath(new URL('.', import.meta.url));
const root = join(here, '../..');

const events = [
  'OnBeforeSaveWebPageCache',
  'OnCacheUpdate',
  'OnMODXInit',
  'OnResourceAutoPublish',
  'OnResourceRemoveFromResourceGroup',
  'OnTemplateVarSave',
];
const settings = [
  { key: 'hcd.log_unknown_edits', value: '0', xtype: 'combo-boolean' },
  { key: 'hcd.webhook_secret', value: '', xtype: 'text-password' },
];

/** @param {string} path */
const read = (path) => readFileSync(join(here, path), 'utf8');
/** @param {string} text */
const md5 = (text) => createHash('md5').update(text).digest('hex');

/**
 * As PHP writes the value.
 * @param {unknown} value
 * @returns {string}
 */
function php(value) {
  if (Array.isArray(value)) return `array(${value.map(php).join(', ')})`;
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(([name, one]) => `${php(name)} => ${php(one)}`);
    return `array(${members.join(', ')})`;
  }
  return typeof value === 'string' ? `'${value.replace(/[\\']/g, '\\$&')}'` : String(value);
}

/**
 * What MODX puts into place; the short names of classes hold for 2.8 and 3.x.
 * @typedef {{ class: string, key: string | null, payload: Record<string, unknown>, folder?: string }} Part
 * @returns {Part[]}
 */
function parts() {
  /** @param {string} name @param {string} target @returns {Part} */
  const folder = (name, target) => ({
    class: 'xPDOFileVehicle',
    key: null,
    folder: name,
    payload: {
      object: { target: `return ${target} . 'components/';`, name: 'hcd' },
      // All files of a package have one time, by which opcache would take the files of an update for the former ones.
      copy_preserve_filemtime: false,
    },
  });
  const namespace = {
    name: 'hcd',
    path: '{core_path}components/hcd/',
    assets_path: '{assets_path}components/hcd/',
  };
  return [
    {
      class: 'modNamespace',
      key: 'hcd',
      payload: { unique_key: 'name', preserve_keys: true, update_object: true, object: JSON.stringify(namespace) },
    },
    folder('core', 'MODX_CORE_PATH'),
    folder('assets', 'MODX_ASSETS_PATH'),
    ...settings.map((setting) => ({
      class: 'modSystemSetting',
      key: setting.key,
      payload: {
        // An update keeps what the site has set.
        ...{ unique_key: 'key', preserve_keys: true, update_object: false },
        object: JSON.stringify({ ...setting, namespace: 'hcd', area: 'hcd' }),
      },
    })),
    pluginPart(),
  ];
}

/** @returns {Part} */
function pluginPart() {
  const attributes = { unique_key: ['pluginid', 'event'], preserve_keys: true, update_object: false };
  const listening = events.map((event) => {
    const guid = md5(`hcd modPluginEvent ${event}`);
    const object = JSON.stringify({ pluginid: 0, event, priority: 0, propertyset: 0 });
    return [guid, { ...attributes, class: 'modPluginEvent', guid, native_key: [0, event], object, package: 'modx' }];
  });
  const plugin = {
    name: 'hcd',
    description: 'Keeps MODX and hcd in step.',
    plugincode: read('package/plugin.php').replace('<?php\n', ''),
  };
  return {
    class: 'modPlugin',
    key: 'hcd',
    payload: {
      ...{ unique_key: 'name', preserve_keys: false, update_object: true },
      object: JSON.stringify(plugin),
      related_objects: { PluginEvents: Object.fromEntries(listening) },
      related_object_attributes: { PluginEvents: attributes },
    },
  };
}

/** @param {string} version */
export function packageFiles(version) {
  const signature = `hcd-${version}-pl`;
  /** @type {Record<string, Uint8Array>} */
  const files = {};
  const put = (/** @type {string} */ path, /** @type {string} */ text) => {
    files[`${signature}/${path}`] = strToU8(text);
  };
  const vehicles = parts().map(({ class: name, key, payload, folder }) => {
    const guid = md5(`hcd ${name} ${key ?? folder}`);
    const base = `${name}/${md5(`${name}_${guid}`)}`;
    const kind = folder === undefined ? 'xPDOObjectVehicle' : name;
    const common = { vehicle_package: 'transport', vehicle_class: kind, class: name, guid, native_key: key };
    /** @type {Record<string, unknown>} */
    const content = { ...common, namespace: 'hcd', package: folder === undefined ? 'modx' : '', ...payload };
    // Also after an update nothing is left behind.
    content.preexisting_mode = 1;
    if (folder !== undefined) {
      content.object = { source: `${signature}/${base}/`, .../** @type {object} */ (payload['object']) };
      for (const path of filesIn(folder)) put(`${base}/hcd/${path}`, read(`${folder}/${path}`));
    }
    if (key === 'hcd' && name === 'modNamespace') {
      put(`${base}.resolver.php`, read('package/resolver.php'));
      const source = `${signature}/${base}.resolver.php`;
      content.resolve = [{ type: 'php', body: JSON.stringify({ source, name: 'resolver.php' }) }];
    }
    put(`${base}.vehicle`, `<?php return ${php({ ...content, signature: base.slice(name.length + 1) })};\n`);
    return { ...common, filename: `${base}.vehicle`, namespace: 'hcd' };
  });
  const attributes = {
    license: readFileSync(join(root, 'LICENSE'), 'utf8'),
    readme: read('package/readme.md'),
    changelog: read('package/changelog.md'),
    requires: { php: '>=7.2.0', modx: '>=2.8.0' },
  };
  const manifest = { 'manifest-version': '1.1', 'manifest-attributes': attributes, 'manifest-vehicles': vehicles };
  put('manifest.php', `<?php return ${php(manifest)};\n`);
  return files;
}

/** @param {string} folder */
function filesIn(folder) {
  return readdirSync(join(here, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(join(here, folder).length + 1))
    .sort();
}

/** @param {string} directory */
export function buildPackage(directory) {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const files = packageFiles(version);
  const sorted = Object.fromEntries(Object.entries(files).sort(([one], [other]) => (one < other ? -1 : 1)));
  const path = join(directory, `hcd-${version}-pl.transport.zip`);
  mkdirSync(directory, { recursive: true });
  // Zip files hold local time: this one is the same in every zone.
  writeFileSync(path, zipSync(sorted, { level: 9, mtime: new Date(1980, 0, 1) }));
  return path;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const path = buildPackage(resolve(process.argv[2] ?? join(root, 'dist/modx')));
  process.stdout.write(`${path}\n`);
}
