/** The single list of commands, in the order in which help shows them. */

import { auditList } from './audit/list.js';
import { auditPrune } from './audit/prune.js';
import { bannerAdd } from './banner/add.js';
import { bannerAudit } from './banner/audit.js';
import { bannerDisable } from './banner/disable.js';
import { bannerDuplicate } from './banner/duplicate.js';
import { bannerEnable } from './banner/enable.js';
import { bannerImportClicks } from './banner/import-clicks.js';
import { bannerKeyAdd } from './banner/key/add.js';
import { bannerKeyRemove } from './banner/key/remove.js';
import { bannerKeyRotate } from './banner/key/rotate.js';
import { bannerKeyShow } from './banner/key/show.js';
import { bannerList } from './banner/list.js';
import { bannerRecount } from './banner/recount.js';
import { bannerRemove } from './banner/remove.js';
import { bannerShow } from './banner/show.js';
import { bannerStats } from './banner/stats.js';
import { bannerUpdate } from './banner/update.js';
import { makeCompletion } from './completion.js';
import { configShow } from './config/show.js';
import { dbCopy } from './db/copy.js';
import { deliveryList } from './delivery/list.js';
import { deliveryPrune } from './delivery/prune.js';
import { deliveryReplay } from './delivery/replay.js';
import { deliveryRetry } from './delivery/retry.js';
import { deliveryShow } from './delivery/show.js';
import { demo } from './demo/demo.js';
import { doctor } from './doctor/doctor.js';
import { elementList } from './element/list.js';
import { elementShow } from './element/show.js';
import { makeHelp } from './help.js';
import { init } from './init/init.js';
import { keyCreate } from './key/create.js';
import { keyList } from './key/list.js';
import { keyRevoke } from './key/revoke.js';
import { keyRotate } from './key/rotate.js';
import { keyShow } from './key/show.js';
import { migrate } from './migrate/migrate.js';
import { oauthClientAdd } from './oauth/client/add.js';
import { oauthClientList } from './oauth/client/list.js';
import { oauthClientRevoke } from './oauth/client/revoke.js';
import { oauthClientRotateSecret } from './oauth/client/rotate-secret.js';
import { oauthClientShow } from './oauth/client/show.js';
import { oauthTokenList } from './oauth/token/list.js';
import { oauthTokenPrune } from './oauth/token/prune.js';
import { oauthTokenRevoke } from './oauth/token/revoke.js';
import { objectCheck } from './object/check.js';
import { objectList } from './object/list.js';
import { readVersion } from './package-info.js';
import { pageDiff } from './page/diff.js';
import { pageEdit } from './page/edit.js';
import { pageHistory } from './page/history.js';
import { pageImport } from './page/import.js';
import { pageList } from './page/list.js';
import { pagePublish } from './page/publish.js';
import { pageRollback } from './page/rollback.js';
import { pageShow } from './page/show.js';
import { pageUnpublish } from './page/unpublish.js';
import { positionAdd } from './position/add.js';
import { positionLink } from './position/link.js';
import { positionList } from './position/list.js';
import { positionOrder } from './position/order.js';
import { positionRemove } from './position/remove.js';
import { positionUnlink } from './position/unlink.js';
import { positionUpdate } from './position/update.js';
import { presetAdd } from './preset/add.js';
import { presetList } from './preset/list.js';
import { presetRemove } from './preset/remove.js';
import { resourceCreate } from './resource/create.js';
import { resourceDelete } from './resource/delete.js';
import { resourceList } from './resource/list.js';
import { resourcePublish } from './resource/publish.js';
import { resourceRestore } from './resource/restore.js';
import { resourceShow } from './resource/show.js';
import { resourceTree } from './resource/tree.js';
import { resourceUnpublish } from './resource/unpublish.js';
import { resourceUpdate } from './resource/update.js';
import { sectionTypeImport } from './section-type/import.js';
import { sectionTypeList } from './section-type/list.js';
import { sectionTypeRemove } from './section-type/remove.js';
import { sectionTypeShow } from './section-type/show.js';
import { serve } from './serve/serve.js';
import { settingGet } from './setting/get.js';
import { settingList } from './setting/list.js';
import { settingSet } from './setting/set.js';
import { settingUnset } from './setting/unset.js';
import { tokenCreate } from './token/create.js';
import { tokenList } from './token/list.js';
import { tokenRevoke } from './token/revoke.js';
import type { Program } from './tree.js';
import { userAdd } from './user/add.js';
import { userList } from './user/list.js';
import { userPasswd } from './user/passwd.js';
import { userRemove } from './user/remove.js';
import { webhookAdd } from './webhook/add.js';
import { webhookDisable } from './webhook/disable.js';
import { webhookEnable } from './webhook/enable.js';
import { webhookEvents } from './webhook/events.js';
import { webhookList } from './webhook/list.js';
import { webhookListen } from './webhook/listen.js';
import { webhookRemove } from './webhook/remove.js';
import { webhookRotateSecret } from './webhook/rotate-secret.js';
import { webhookShow } from './webhook/show.js';
import { webhookTest } from './webhook/test.js';
import { webhookUpdate } from './webhook/update.js';
import { worker } from './worker/worker.js';

/** The whole program. `help` and `completion` get it late, since they stand in the list themselves. */
export function createProgram(): Program {
  const program: Program = Object.freeze({
    version: readVersion(),
    groups: Object.freeze([
      { path: 'config', summary: 'The configuration of the process' },
      { path: 'key', summary: 'API keys of the gateway' },
      { path: 'oauth', summary: 'OAuth clients and access tokens of the gateway' },
      { path: 'oauth client', summary: 'OAuth clients of the gateway' },
      { path: 'oauth token', summary: 'Access tokens of the gateway' },
      { path: 'webhook', summary: 'Subscriptions of receivers to events' },
      { path: 'delivery', summary: 'Deliveries of webhooks' },
      { path: 'token', summary: 'Tokens of the page delivery API' },
      { path: 'page', summary: 'Page documents: drafts, publications and plans' },
      { path: 'section-type', summary: 'The types of sections that pages are made of' },
      { path: 'banner', summary: 'Banners and what visitors do with them' },
      { path: 'banner key', summary: 'The keys of the banner API' },
      { path: 'position', summary: 'Places at which banners are shown' },
      { path: 'preset', summary: 'Values that new banners start with' },
      { path: 'user', summary: 'Users of the content system' },
      { path: 'setting', summary: 'Runtime settings of the APIs and settings of the content system' },
      { path: 'resource', summary: 'The resources of the content' },
      { path: 'element', summary: 'Contexts, chunks, templates and the other elements' },
      { path: 'object', summary: 'Registered objects and their definition files' },
      { path: 'audit', summary: 'The audit log of the gateway' },
      { path: 'db', summary: 'Move and check the database' },
    ]),
    commands: Object.freeze([
      init,
      demo,
      serve,
      worker,
      migrate,
      doctor,
      configShow,
      keyCreate,
      keyList,
      keyShow,
      keyRotate,
      keyRevoke,
      oauthClientAdd,
      oauthClientList,
      oauthClientShow,
      oauthClientRotateSecret,
      oauthClientRevoke,
      oauthTokenList,
      oauthTokenRevoke,
      oauthTokenPrune,
      webhookAdd,
      webhookList,
      webhookShow,
      webhookUpdate,
      webhookEnable,
      webhookDisable,
      webhookRemove,
      webhookRotateSecret,
      webhookTest,
      webhookListen,
      webhookEvents,
      deliveryList,
      deliveryShow,
      deliveryRetry,
      deliveryReplay,
      deliveryPrune,
      tokenCreate,
      tokenList,
      tokenRevoke,
      pageList,
      pageShow,
      pageEdit,
      pagePublish,
      pageUnpublish,
      pageHistory,
      pageDiff,
      pageRollback,
      pageImport,
      sectionTypeList,
      sectionTypeShow,
      sectionTypeImport,
      sectionTypeRemove,
      bannerList,
      bannerShow,
      bannerAdd,
      bannerDuplicate,
      bannerUpdate,
      bannerEnable,
      bannerDisable,
      bannerRemove,
      bannerStats,
      bannerRecount,
      bannerAudit,
      bannerImportClicks,
      bannerKeyShow,
      bannerKeyRotate,
      bannerKeyAdd,
      bannerKeyRemove,
      positionList,
      positionAdd,
      positionUpdate,
      positionRemove,
      positionLink,
      positionUnlink,
      positionOrder,
      presetList,
      presetAdd,
      presetRemove,
      userAdd,
      userList,
      userPasswd,
      userRemove,
      settingList,
      settingGet,
      settingSet,
      settingUnset,
      resourceList,
      resourceShow,
      resourceTree,
      resourceCreate,
      resourceUpdate,
      resourcePublish,
      resourceUnpublish,
      resourceDelete,
      resourceRestore,
      elementList,
      elementShow,
      objectList,
      objectCheck,
      auditList,
      auditPrune,
      dbCopy,
      makeCompletion(() => program),
      makeHelp(() => program),
    ]),
  });
  return program;
}
