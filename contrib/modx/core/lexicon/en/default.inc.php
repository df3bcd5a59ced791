<?php
$_lang['area_hcd'] = 'hcd';
$_lang['setting_hcd.log_unknown_edits'] = 'Log edits whose resource is unknown';
$_lang['setting_hcd.log_unknown_edits_desc'] = 'Yes, if "hcd doctor" reports tables without a time of change: then hcd hears of
    saved template variables and of scripts at once, and drops all its answers each time. No: it finds out what changed.';
$_lang['setting_hcd.webhook_secret'] = 'Secret of the webhook';
$_lang['setting_hcd.webhook_secret_desc'] = 'Only if hcd keeps its own tables in another database than MODX: the secret that
    "hcd webhook add" printed for assets/components/hcd/connector.php. Empty: MODX asks the tables of hcd at each request.';
