<?php
/** MODX 2.8 or 3.x without a session, for the scripts of this extra. */
define('HCD_SCRIPT', true);
define('MODX_API_MODE', true);

function hcdBoot()
{
    // Their output is for machines.
    ini_set('display_errors', '0');
    if (is_file(MODX_CORE_PATH . 'src/Revolution/modX.php')) {
        require_once MODX_CORE_PATH . 'vendor/autoload.php';
        $modx = new \MODX\Revolution\modX();
    } else {
        require_once MODX_CORE_PATH . 'model/modx/modx.class.php';
        $modx = new modX();
    }
    $modx->initialize('mgr', ['session_enabled' => false]);
    require_once __DIR__ . '/caches.php';
    return $modx;
}
