<?php
/**
 * From cron: refreshes the caches that hold what hcd has changed, so that no visitor waits for it.
 *
 *   php core/components/hcd/hcd-refresh.php [--all]
 *
 * With --all the caches of all contexts, whatever changed. Exit code 1 when something failed; MODX's log says what.
 */
if (PHP_SAPI !== 'cli') {
    exit;
}
define('MODX_CORE_PATH', dirname(__DIR__, 2) . '/');
define('MODX_CONFIG_KEY', 'config');
require __DIR__ . '/boot.php';
try {
    $modx = hcdBoot();
    $caches = new HcdCaches($modx);
    $isAll = in_array('--all', $argv, true);
    if (!$isAll && $modx->getOption('hcd.webhook_secret', null, '') !== '') {
        throw new RuntimeException('hcd.webhook_secret is set, so the tables of hcd are elsewhere: use --all');
    }
    $keys = $isAll ? $caches->refresh(null) : $caches->check();
    $problem = $isAll ? '' : $caches->problem();
    echo $keys === [] ? "Nothing to refresh.\n" : 'Refreshed: ' . implode(', ', $keys) . "\n";
} catch (\Throwable $failure) {
    $problem = $failure->getMessage();
}
if ($problem !== '') {
    fwrite(STDERR, "hcd-refresh: $problem\n");
    exit(1);
}
