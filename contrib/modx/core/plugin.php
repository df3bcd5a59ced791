<?php
/** What the plugin `hcd` does at each event. The plugin itself catches what fails. */
require_once __DIR__ . '/caches.php';
require_once __DIR__ . '/edits.php';

$edits = new HcdEdits($modx);
switch ($modx->event->name) {
    case 'OnMODXInit':
        $edits->begin();
        // With a secret the changes come as webhooks: the tables of hcd are elsewhere.
        if (!defined('HCD_SCRIPT') && $modx->getOption('hcd.webhook_secret', null, '') === '') {
            (new HcdCaches($modx))->check();
        }
        break;
    case 'OnBeforeSaveWebPageCache':
        if ((new HcdCaches($modx))->hasMoved()) {
            $modx->resource->setProcessed(false);
        }
        break;
    case 'OnResourceRemoveFromResourceGroup':
        if (is_object($scriptProperties['resource'])) {
            $edits->note([(int) $scriptProperties['resource']->get('id')]);
        }
        break;
    case 'OnResourceAutoPublish':
        $results = $scriptProperties['results'];
        $lists = array_filter([$results['published_resources'] ?? null, $results['unpublished_resources'] ?? null]);
        $edits->note(array_map('intval', array_column(array_merge([], ...array_values($lists)), 'id')));
        break;
    case 'OnTemplateVarSave':
    case 'OnCacheUpdate':
        if (!HcdCaches::$isRefreshing && $modx->getOption('hcd.log_unknown_edits', null, false)) {
            $edits->note([]);
        }
        break;
}
