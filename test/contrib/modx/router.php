<?php
/** For `php -S`: what rewrite rules do on the web servers of MODX sites. */
$path = parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);
if ($path !== '/' && file_exists($_SERVER['DOCUMENT_ROOT'] . $path)) {
    return false;
}
$_GET['q'] = $_REQUEST['q'] = ltrim($path, '/');
$_SERVER['SCRIPT_NAME'] = $_SERVER['PHP_SELF'] = '/index.php';
chdir($_SERVER['DOCUMENT_ROOT']);
require $_SERVER['DOCUMENT_ROOT'] . '/index.php';
