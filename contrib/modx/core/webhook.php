<?php
/** Deliveries of hcd, signed by the rules of Standard Webhooks. */
class HcdWebhook
{
    const TOLERANCE_SECONDS = 300;
    const MOST_BYTES = 1048576;

    /** Names of headers in lower case; `$body` as it came. */
    public static function isGenuine(array $headers, string $body, string $secret, int $now): bool
    {
        $id = $headers['webhook-id'] ?? '';
        $timestamp = $headers['webhook-timestamp'] ?? '';
        $isTime = preg_match('/^\d{1,12}$/D', $timestamp) === 1;
        if ($id === '' || !$isTime || abs($now - (int) $timestamp) > self::TOLERANCE_SECONDS) {
            return false;
        }
        $key = strpos($secret, 'whsec_') === 0 ? base64_decode(substr($secret, 6), true) : $secret;
        if ($key === false || $key === '') {
            return false;
        }
        $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
        $fits = false;
        foreach (explode(' ', $headers['webhook-signature'] ?? '') as $given) {
            $fits = hash_equals($expected, $given) || $fits;
        }
        return $fits;
    }

    /** Keys of the contexts whose caches are out of date; null means all. */
    public static function contexts(array $event): ?array
    {
        $object = $event['data']['object'] ?? null;
        // What the CMS changed itself it knows. A page document and a test are nothing that it shows.
        if (($event['meta']['source'] ?? 'hcd') === 'cms' || $object === 'webhook') {
            return [];
        }
        if ($object === null) {
            return ($event['type'] ?? '') === 'content.changed' ? null : [];
        }
        $keys = array_filter([$event['data']['context'] ?? null], 'is_string');
        foreach ($event['meta']['revalidate'] ?? [] as $tag) {
            if (strpos($tag, 'gateway:context:') === 0) {
                $keys[] = rawurldecode(substr($tag, 16));
            }
        }
        return $object !== 'resources' || $keys === [] ? null : array_values(array_unique($keys));
    }
}
