<?php
/** Where hcd keeps its tables in another database, its signed webhooks come here. */
function hcdAnswer(int $status, array $body)
{
    http_response_code($status);
    header('Content-Type: application/json');
    header('Cache-Control: no-store');
    echo json_encode($body);
    exit;
}

if (($_SERVER['REQUEST_METHOD'] ?? '') !== 'POST') {
    header('Allow: POST');
    hcdAnswer(405, ['error' => 'send a webhook of hcd by POST']);
}
try {
    require dirname(__DIR__, 3) . '/config.core.php';
    $core = MODX_CORE_PATH . 'components/hcd/';
    require $core . 'webhook.php';
    $body = (string) file_get_contents('php://input', false, null, 0, HcdWebhook::MOST_BYTES + 1);
    if (strlen($body) > HcdWebhook::MOST_BYTES) {
        hcdAnswer(413, ['error' => 'at most ' . HcdWebhook::MOST_BYTES . ' bytes']);
    }
    $headers = [];
    foreach (['webhook-id', 'webhook-timestamp', 'webhook-signature'] as $name) {
        $headers[$name] = (string) ($_SERVER['HTTP_' . strtoupper(strtr($name, '-', '_'))] ?? '');
    }
    require $core . 'boot.php';
    $modx = hcdBoot();
    $secret = (string) $modx->getOption('hcd.webhook_secret', null, '');
    if (!HcdWebhook::isGenuine($headers, $body, $secret, time())) {
        hcdAnswer(401, ['error' => 'the signature, its time or the system setting hcd.webhook_secret does not fit']);
    }
    $caches = new HcdCaches($modx);
    // Deliveries can come twice.
    if ($caches->isRemembered($headers['webhook-id'])) {
        hcdAnswer(200, ['refreshed' => [], 'repeated' => true]);
    }
    $event = json_decode($body, true);
    $contexts = is_array($event) ? HcdWebhook::contexts($event) : [];
    $refreshed = $contexts === [] ? [] : $caches->refresh($contexts);
    // Longer than a signature is accepted.
    $caches->remember($headers['webhook-id'], 3 * HcdWebhook::TOLERANCE_SECONDS);
    hcdAnswer(200, ['refreshed' => $refreshed]);
} catch (\Throwable $problem) {
    if (isset($modx)) {
        $modx->log(1, '[hcd] webhook: ' . $problem->getMessage());
    }
    header('Retry-After: 30');
    hcdAnswer(503, ['error' => 'MODX could not refresh its caches; its log says why']);
}
