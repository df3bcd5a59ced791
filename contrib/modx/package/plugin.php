<?php
/* Changes belong into core/components/hcd/plugin.php. Nothing that fails there may stop MODX. */
try {
    $file = MODX_CORE_PATH . 'components/hcd/plugin.php';
    if (is_file($file)) {
        include $file;
    }
} catch (\Throwable $problem) {
    $modx->log(1, '[hcd] ' . $problem->getMessage());
}
