<?php
/**
 * Caches of MODX that hold what hcd has changed are refreshed: context maps and pages, of the contexts concerned only.
 * Never touches sessions or the partition `default`.
 */
class HcdCaches
{
    const PAUSE_SECONDS = 60;
    /** With more changes than these at once, all contexts are refreshed. */
    const MOST_CHANGES = 100;
    /** JSON: PHP files may be kept by opcache in their former state. */
    const PARTITION = ['cache_key' => 'hcd', 'cache_format' => 1];

    /** Whether an event of MODX comes from here. */
    public static $isRefreshing = false;
    private static $seen = null;

    private $modx;

    public function __construct($modx)
    {
        $this->modx = $modx;
    }

    /** Keys of the contexts that were refreshed. Failures are logged once and tried again after a minute. */
    public function check(): array
    {
        $state = $this->state();
        if ($state['retry'] > time()) {
            return [];
        }
        try {
            self::$seen = $this->generation();
            if (self::$seen === $state['generation'] && $state['problem'] === '') {
                return [];
            }
            $refreshed = $this->locked([$this, 'follow']);
            // With the former maps no page may be kept.
            self::$seen = $refreshed === null ? -1 : self::$seen;
            return $refreshed ?? [];
        } catch (\Throwable $problem) {
            $this->pause($problem);
            return [];
        }
    }

    /** Why the last check failed; empty if it did not. */
    public function problem(): string
    {
        return $this->state()['problem'];
    }

    /** Refreshes the named contexts; with null all, and the elements too. Gives the keys of those that exist. */
    public function refresh(?array $contexts): array
    {
        $refreshed = $this->locked(function () use ($contexts) {
            return $this->clear($contexts);
        });
        if ($refreshed === null) {
            throw new \RuntimeException('another request is refreshing the caches');
        }
        return $refreshed;
    }

    /** Whether hcd has written since this request began: what it read must not be kept. */
    public function hasMoved(): bool
    {
        return self::$seen !== null && $this->generation() !== self::$seen;
    }

    public function isRemembered(string $key): bool
    {
        return (bool) $this->modx->getCacheManager()->get('seen/' . md5($key), self::PARTITION);
    }

    public function remember(string $key, int $seconds)
    {
        // By reference.
        $value = 1;
        $this->modx->getCacheManager()->set('seen/' . md5($key), $value, $seconds, self::PARTITION);
    }

    private function follow(): array
    {
        $known = $this->state()['generation'];
        $now = self::$seen = $this->generation();
        $refreshed = [];
        if ($now !== $known) {
            $contexts = $known === null ? null : $this->contextsChanged($known, $now);
            $refreshed = $contexts === [] ? [] : $this->clear($contexts);
        }
        $this->save(['generation' => $now]);
        // Also when another request has refreshed meanwhile.
        if ($refreshed !== [] || $now === $known) {
            $this->reloadContext();
        }
        return $refreshed;
    }

    /** Null means all: a change of everything, or changes that are no longer listed. */
    private function contextsChanged(int $known, int $now): ?array
    {
        if ($now < $known || $now - $known > self::MOST_CHANGES) {
            return null;
        }
        $sql = "SELECT `payload` FROM `hcd_changes` WHERE `generation` > $known AND `generation` <= $now";
        $payloads = $this->query($sql)->fetchAll(\PDO::FETCH_COLUMN);
        if (count($payloads) !== $now - $known) {
            return null;
        }
        $contexts = [];
        foreach ($payloads as $payload) {
            $rows = json_decode((string) $payload, true);
            if (!is_array($rows)) {
                return null;
            }
            // What others than hcd changed is for its other processes.
            foreach (isset($rows['source']) ? [] : $rows as $row) {
                list($object, , $before, $after) = $row;
                // Entries of an index of hcd, not what MODX shows.
                if ($before === [] && $after === []) {
                    continue;
                }
                foreach (array_filter([$before, $after], 'is_array') as $values) {
                    if ($object !== 'resources' || !isset($values['context_key'])) {
                        return null;
                    }
                    $contexts[$values['context_key']] = true;
                }
            }
        }
        return array_map('strval', array_keys($contexts));
    }

    private function clear(?array $contexts): array
    {
        $table = $this->modx->getTableName('modContext');
        $all = $this->query("SELECT `key` FROM $table WHERE `key` <> 'mgr'")->fetchAll(\PDO::FETCH_COLUMN);
        $keys = $contexts === null ? $all : array_values(array_intersect($all, $contexts));
        if ($keys === []) {
            return [];
        }
        $partitions = ['db' => [], 'context_settings' => ['contexts' => $keys], 'resource' => ['contexts' => $keys]];
        self::$isRefreshing = true;
        try {
            $this->forgetFiles($keys);
            $this->modx->getCacheManager()->refresh($partitions + ($contexts === null ? ['scripts' => []] : []));
            $this->forgetFiles($keys);
        } finally {
            self::$isRefreshing = false;
        }
        return $keys;
    }

    /** For opcache, which looks every two seconds only whether a file has changed. */
    private function forgetFiles(array $keys)
    {
        $path = $this->modx->getCachePath();
        foreach (function_exists('opcache_invalidate') ? $keys : [] as $key) {
            $pages = $path . "resource/$key/resources/";
            $kept = array_merge(glob($pages . '*.cache.php') ?: [], glob($pages . '*/*.cache.php') ?: []);
            foreach (array_merge($kept, [$path . "context_settings/$key/context.cache.php"]) as $file) {
                @opcache_invalidate($file, true);
            }
        }
    }

    /** The maps of this request were read before. Its settings stay: a plugin may have changed them. */
    private function reloadContext()
    {
        $context = $this->modx->context;
        if (is_object($context) && $context->get('key') !== 'mgr') {
            $context->config = null;
            $context->prepare();
        }
    }

    /** Null when other requests had the lock for two seconds. */
    private function locked(callable $work): ?array
    {
        $name = "CONCAT('hcd ', MD5(DATABASE()))";
        if (!$this->query("SELECT GET_LOCK($name, 2)")->fetchColumn()) {
            return null;
        }
        try {
            return $work();
        } finally {
            $this->query("SELECT RELEASE_LOCK($name)")->fetchAll();
        }
    }

    private function generation(): int
    {
        $sql = "SELECT `value` FROM `hcd_state` WHERE `key` = 'content_generation'";
        return (int) $this->query($sql)->fetchColumn();
    }

    private function query(string $sql): \PDOStatement
    {
        $statement = $this->modx->query($sql);
        if (!$statement) {
            throw new \RuntimeException(implode(' ', $this->modx->pdo->errorInfo()));
        }
        return $statement;
    }

    private function state(): array
    {
        $state = $this->modx->getCacheManager()->get('state', self::PARTITION);
        return (is_array($state) ? $state : []) + ['generation' => null, 'retry' => 0, 'problem' => ''];
    }

    private function save(array $state)
    {
        $this->modx->getCacheManager()->set('state', $state, 0, self::PARTITION);
    }

    private function pause(\Throwable $problem)
    {
        $state = $this->state();
        $text = $problem->getMessage();
        if ($state['problem'] !== $text) {
            $this->modx->log(1, "[hcd] The caches do not follow hcd: $text");
        }
        $this->save(['retry' => time() + self::PAUSE_SECONDS, 'problem' => $text] + $state);
    }
}
