<?php
/** @var xPDOTransport $transport */
if ($options['package_action'] === 2) {
    $transport->xpdo->getCacheManager()->refresh(['hcd' => []]);
}
return true;
