<?php
/** Edits that MODX does not write into the log of its manager are written there, where hcd reads them. */
class HcdEdits
{
    private static $newest = null;
    private static $isWatching = false;
    private static $ids = [];

    private $modx;

    public function __construct($modx)
    {
        $this->modx = $modx;
    }

    /** Rows of the log up to here were written by earlier requests. */
    public function begin()
    {
        $rows = $this->select('MAX(`id`)', '1 = 1');
        self::$newest = $rows === null ? null : (int) $rows[0];
    }

    /** Ids of resources that changed; with none, what changed is unknown. */
    public function note(array $ids)
    {
        if (self::$newest === null) {
            return;
        }
        self::$ids = array_merge(self::$ids, $ids);
        if (!self::$isWatching) {
            self::$isWatching = true;
            register_shutdown_function([$this, 'write']);
        }
    }

    /** At the end of the request, because MODX writes its own rows after its events. */
    public function write()
    {
        try {
            $user = is_object($this->modx->user) ? (int) $this->modx->user->get('id') : 0;
            $logged = $this->select('`item`', '`id` > ' . self::$newest . " AND `user` = $user");
            if ($logged === null) {
                return;
            }
            foreach (array_diff(array_unique(self::$ids), $logged) as $id) {
                $this->modx->logManagerAction('resource_update', 'modResource', $id);
            }
            if ($logged === [] && self::$ids === []) {
                $this->modx->logManagerAction('hcd_unlogged', '', 'everything');
            }
        } catch (\Throwable $problem) {
            $this->modx->log(1, '[hcd] An edit was not logged: ' . $problem->getMessage());
        }
    }

    private function select(string $column, string $condition): ?array
    {
        $table = $this->modx->getTableName('modManagerLog');
        $statement = $this->modx->query("SELECT $column FROM $table WHERE $condition");
        return $statement ? $statement->fetchAll(\PDO::FETCH_COLUMN) : null;
    }
}
