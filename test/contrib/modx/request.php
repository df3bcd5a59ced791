<?php
/**
 * One request to the imitation: php request.php CORE_PATH EVENTS. EVENTS is JSON: `[name, parameters]` of what happens
 * after the start; `logged` is a row that MODX writes by itself, `sql` another writer. Prints what MODX was asked to do.
 */
list(, $core, $events) = $argv;
define('MODX_CORE_PATH', $core);
require MODX_CORE_PATH . 'model/modx/modx.class.php';
class ImitatedResource
{
    private $id;

    public function __construct($id)
    {
        $this->id = $id;
    }

    public function get($field)
    {
        return $this->id;
    }
}

$modx = new modX();
$modx->initialize('web');
foreach (json_decode($events, true) as list($name, $parameters)) {
    if (isset($parameters['resource'])) {
        $parameters['resource'] = new ImitatedResource($parameters['resource']);
    }
    if ($name === 'logged') {
        $modx->logManagerAction('resource_update', 'modDocument', $parameters['id']);
    } elseif ($name === 'sql') {
        $modx->pdo->exec($parameters['sql']);
    } else {
        $modx->invokeEvent($name, $parameters);
    }
}
echo json_encode($modx->told + ['kept' => $modx->resource->isProcessed]);
