/** Every operation of admin. */
import type { OperationDoor } from '@murmuration/kernel'
import { act as actOnAccount } from './account/act.js'
import { enable as enableAccount } from './account/enable.js'
import { show as showAccount } from './account/show.js'
import { unsensitive as unsensitiveAccount } from './account/unsensitive.js'
import { unsilence as unsilenceAccount } from './account/unsilence.js'
import { unsuspend as unsuspendAccount } from './account/unsuspend.js'
import { create as createAnnouncement } from './announcement/create.js'
import { dismiss as dismissAnnouncement } from './announcement/dismiss.js'
import { list as listAnnouncements } from './announcement/list.js'
import { listAll as listAllAnnouncements } from './announcement/list-all.js'
import { react as reactToAnnouncement } from './announcement/react.js'
import { remove as removeAnnouncement } from './announcement/remove.js'
import { unreact as unreactToAnnouncement } from './announcement/unreact.js'
import { update as updateAnnouncement } from './announcement/update.js'
import { create as createDomainAllow } from './domain-allow/create.js'
import { find as findDomainAllows } from './domain-allow/find.js'
import { lift as liftDomainAllow } from './domain-allow/lift.js'
import { list as listDomainAllows } from './domain-allow/list.js'
import { place as placeDomainAllows } from './domain-allow/place.js'
import { remove as removeDomainAllow } from './domain-allow/remove.js'
import { show as showDomainAllow } from './domain-allow/show.js'
import { create as createDomainBlock } from './domain-block/create.js'
import { exportPage as exportDomainBlocks } from './domain-block/export.js'
import { find as findDomainBlocks } from './domain-block/find.js'
import { importPage as importDomainBlocks } from './domain-block/import.js'
import { lift as liftDomainBlock } from './domain-block/lift.js'
import { list as listDomainBlocks } from './domain-block/list.js'
import { listPublic as listPublicDomainBlocks } from './domain-block/list-public.js'
import { place as placeDomainBlock } from './domain-block/place.js'
import { remove as removeDomainBlock } from './domain-block/remove.js'
import { show as showDomainBlock } from './domain-block/show.js'
import { update as updateDomainBlock } from './domain-block/update.js'
import { showDonationCampaign } from './donation/show.js'
import { activity as showActivity } from './instance/activity.js'
import { show as showInstance } from './instance/show.js'
import { showV1 as showInstanceV1 } from './instance/show-v1.js'
import { list as listLanguages } from './language/list.js'
import { extendedDescription } from './page/extended-description.js'
import { privacyPolicy } from './page/privacy-policy.js'
import { list as listPeers } from './peer/list.js'
import { search as searchPeers } from './peer/search.js'
import { show as showPicture } from './picture/show.js'
import { assignToSelf as assignReport } from './report/assign-to-self.js'
import { create as createReport } from './report/create.js'
import { list as listReports } from './report/list.js'
import { reopen as reopenReport } from './report/reopen.js'
import { resolve as resolveReport } from './report/resolve.js'
import { show as showReport } from './report/show.js'
import { unassign as unassignReport } from './report/unassign.js'
import { update as updateReport } from './report/update.js'
import { create as createRule } from './rule/create.js'
import { list as listRules } from './rule/list.js'
import { order as orderRules } from './rule/order.js'
import { remove as removeRule } from './rule/remove.js'
import { update as updateRule } from './rule/update.js'
import { get as getSettings } from './setting/get.js'
import { set as setSetting } from './setting/set.js'
import { setMany as setSettings } from './setting/set-many.js'
import { list as listTerms } from './terms-of-service/list.js'
import { preview as previewTerms } from './terms-of-service/preview.js'
import { publish as publishTerms } from './terms-of-service/publish.js'
import { show as showTerms } from './terms-of-service/show.js'
import { showDated as showDatedTerms } from './terms-of-service/show-dated.js'
import { source as termsSource } from './terms-of-service/source.js'

export const operations: readonly OperationDoor[] = [
  showDonationCampaign,
  actOnAccount,
  enableAccount,
  showAccount,
  unsensitiveAccount,
  unsilenceAccount,
  unsuspendAccount,
  createAnnouncement,
  dismissAnnouncement,
  listAnnouncements,
  listAllAnnouncements,
  reactToAnnouncement,
  removeAnnouncement,
  unreactToAnnouncement,
  updateAnnouncement,

  createDomainAllow,
  listDomainAllows,
  removeDomainAllow,
  showDomainAllow,
  createDomainBlock,
  listDomainBlocks,
  listPublicDomainBlocks,
  removeDomainBlock,
  showDomainBlock,
  updateDomainBlock,
  placeDomainBlock,
  liftDomainBlock,
  importDomainBlocks,
  findDomainBlocks,
  exportDomainBlocks,
  placeDomainAllows,
  liftDomainAllow,
  findDomainAllows,
  showActivity,
  showInstance,
  showInstanceV1,
  listLanguages,
  extendedDescription,
  privacyPolicy,
  listPeers,
  searchPeers,
  showPicture,
  assignReport,
  createReport,
  listReports,
  reopenReport,
  resolveReport,
  showReport,
  unassignReport,
  updateReport,
  createRule,
  listRules,
  orderRules,
  removeRule,
  updateRule,
  getSettings,
  setSetting,
  setSettings,
  listTerms,
  previewTerms,
  termsSource,
  publishTerms,
  showTerms,
  showDatedTerms,
]
