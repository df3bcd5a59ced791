<?php
$_lang['area_hcd'] = 'hcd';
$_lang['setting_hcd.log_edits'] = 'Log edits for hcd';
$_lang['setting_hcd.log_edits_desc'] = 'Writes edits that MODX does not log into the log of the manager, where hcd reads them.
    No: hcd notices them by itself, but may need longer.';
$_lang['setting_hcd.webhook_secret'] = 'Secret of the webhook';
$_lang['setting_hcd.webhook_secret_desc'] = 'Only if hcd keeps its own tables in another database than MODX: the secret that
    "hcd webhook add" printed for assets/components/hcd/connector.php. Empty: MODX asks the tables of hcd at each request.';
