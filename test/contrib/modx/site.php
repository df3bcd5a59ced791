<?php
/**
 * What the tests do on a MODX that runs: php site.php CORE_PATH ACTION [JSON]. Prints JSON.
 *
 *   install {zip}, uninstall {signature}: the package
 *   processor {name, data}: an edit as the manager makes it; names as 3.x writes them
 *   refresh {}: clears all caches
 *   tv {id, name, value}: modResource::setTVValue, as scripts do
 *   parse {id, texts}: what the parser makes of texts on the page
 */
error_reporting(E_ERROR);
ini_set('display_errors', '0');
ini_set('memory_limit', '512M');
list(, $core, $action, $json) = $argv + [3 => '{}'];
$data = json_decode($json, true);
define('MODX_CORE_PATH', $core);
define('MODX_CONFIG_KEY', 'config');
define('MODX_API_MODE', true);
$isNew = is_file(MODX_CORE_PATH . 'src/Revolution/modX.php');
if ($isNew) {
    require_once MODX_CORE_PATH . 'vendor/autoload.php';
    $modx = new \MODX\Revolution\modX();
} else {
    require_once MODX_CORE_PATH . 'model/modx/modx.class.php';
    $modx = new modX();
}
$modx->initialize('mgr');
$modx->getService('error', 'error.modError');
$modx->lexicon->load('core:default');
$modx->user = $modx->getObject('modUser', 1);
$modx->user->set('sudo', 1);
$modx->addPackage('modx.transport', MODX_CORE_PATH . 'model/');

function transport($modx, string $signature)
{
    $package = $modx->getObject('transport.modTransportPackage', ['signature' => $signature]);
    return $package ?: $modx->newObject('transport.modTransportPackage');
}

$result = null;
switch ($action) {
    case 'install':
        $signature = basename($data['zip'], '.transport.zip');
        copy($data['zip'], MODX_CORE_PATH . 'packages/' . basename($data['zip']));
        $package = transport($modx, $signature);
        $package->set('signature', $signature);
        $package->fromArray([
            'state' => 1, 'workspace' => 1, 'provider' => 0, 'source' => basename($data['zip']),
            'created' => date('Y-m-d H:i:s'), 'package_name' => 'hcd',
        ]);
        $package->save();
        // MODX unpacks a version once.
        $modx->cacheManager->deleteTree(MODX_CORE_PATH . "packages/$signature/", ['deleteTop' => true, 'extensions' => []]);
        $result = $package->install();
        $modx->cacheManager->refresh();
        break;
    case 'uninstall':
        $result = transport($modx, $data['signature'])->uninstall();
        $modx->cacheManager->refresh();
        break;
    case 'processor':
        $response = $modx->runProcessor($isNew ? $data['name'] : strtolower($data['name']), $data['data'] ?? []);
        $isDone = $response && !$response->isError();
        $result = $isDone ? $response->getObject() : ['error' => $response ? $response->getMessage() : 'no such processor'];
        break;
    case 'refresh':
        $result = $modx->cacheManager->refresh();
        break;
    case 'tv':
        $result = $modx->getObject('modResource', $data['id'])->setTVValue($data['name'], $data['value']);
        break;
    case 'parse':
        $modx->initialize('web');
        $modx->switchContext('web');
        $modx->getParser();
        $modx->resource = $modx->getObject('modResource', $data['id']);
        $modx->resourceIdentifier = $data['id'];
        $modx->setPlaceholders($modx->config, '+');
        $result = ['site_url' => $modx->getOption('site_url'), 'texts' => []];
        foreach ($data['texts'] as $text) {
            foreach ([false, true] as $isLast) {
                $modx->parser->processElementTags('', $text, true, $isLast, '[[', ']]', [], 10);
            }
            $result['texts'][] = $text;
        }
        break;
}
echo json_encode($result), "\n";
