<?php
/**
 * What the extra uses of MODX: settings, caches in files, one context, events, the log of the manager. A file beside the
 * core folder holds its settings; `report` prints what was asked of it.
 */
class modX
{
    public $pdo;
    public $config;
    public $context;
    public $event;
    public $user = null;
    public $resource;
    public $cacheManager;
    public $told = ['refreshed' => [], 'reloaded' => 0, 'log' => []];

    public function __construct()
    {
        $this->config = json_decode(file_get_contents(dirname(MODX_CORE_PATH) . '/imitation.json'), true);
        list($dsn, $user, $password) = $this->config['pdo'];
        $this->pdo = new PDO($dsn, $user, $password, [PDO::ATTR_ERRMODE => $this->config['errmode']]);
        $this->cacheManager = new ImitatedCaches($this);
        $this->context = new ImitatedContext($this);
        $this->resource = new ImitatedPage();
    }

    public function initialize($contextKey, $options = null)
    {
        $this->context->key = $contextKey;
        $this->invokeEvent('OnMODXInit');
    }

    public function invokeEvent($name, array $scriptProperties = [])
    {
        $this->event = (object) ['name' => $name];
        $modx = $this;
        $plugin = dirname(MODX_CORE_PATH) . '/plugin.txt';
        if (is_file($plugin)) {
            eval(file_get_contents($plugin));
        }
    }

    public function getOption($key, $options = null, $default = null)
    {
        return $this->config['settings'][$key] ?? $default;
    }

    public function query($sql)
    {
        return $this->pdo->query($sql);
    }

    public function getTableName($class)
    {
        $names = ['modContext' => 'context', 'modManagerLog' => 'manager_log'];
        return '`' . $this->config['prefix'] . $names[$class] . '`';
    }

    public function getCacheManager()
    {
        return $this->cacheManager;
    }

    public function getCachePath()
    {
        return MODX_CORE_PATH . 'cache/';
    }

    public function log($level, $message)
    {
        $this->told['log'][] = $message;
        file_put_contents(dirname(MODX_CORE_PATH) . '/error.log', "$message\n", FILE_APPEND);
    }

    public function logManagerAction($action, $class, $item)
    {
        $table = $this->getTableName('modManagerLog');
        $row = $this->pdo->prepare("INSERT INTO $table (`user`, `occurred`, `action`, `classKey`, `item`) VALUES (0, NOW(), ?, ?, ?)");
        $row->execute([$action, $class, $item]);
    }
}

class ImitatedPage
{
    public $isProcessed = true;

    public function setProcessed($processed)
    {
        $this->isProcessed = $processed;
    }
}

class ImitatedCaches
{
    private $modx;

    public function __construct($modx)
    {
        $this->modx = $modx;
    }

    public function get($key, $options)
    {
        $file = $this->path($key, $options);
        $kept = is_file($file) ? json_decode(file_get_contents($file), true) : null;
        return $kept && ($kept['expires'] === 0 || time() < $kept['expires']) ? $kept['content'] : null;
    }

    public function set($key, &$value, $seconds, $options)
    {
        $kept = ['expires' => $seconds ? time() + $seconds : 0, 'content' => $value];
        return file_put_contents($this->path($key, $options), json_encode($kept)) !== false;
    }

    public function delete($key, $options)
    {
        return unlink($this->path($key, $options));
    }

    public function refresh(array $providers = [], array &$results = [])
    {
        if (isset($this->modx->config['broken'])) {
            throw new Error($this->modx->config['broken']);
        }
        $this->modx->told['refreshed'][] = $providers;
        $this->modx->invokeEvent('OnCacheUpdate');
    }

    private function path($key, $options)
    {
        $file = MODX_CORE_PATH . "cache/{$options['cache_key']}/$key.json";
        is_dir(dirname($file)) || mkdir(dirname($file), 0777, true);
        return $file;
    }
}

class ImitatedContext
{
    public $key;
    public $config = [];
    private $modx;

    public function __construct($modx)
    {
        $this->modx = $modx;
    }

    public function get($field)
    {
        return $this->key;
    }

    public function prepare()
    {
        $this->modx->told['reloaded'] += $this->config === null ? 1 : 0;
    }
}
