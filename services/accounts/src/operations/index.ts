/** Every operation of accounts. */
import type { OperationDoor } from '@murmuration/kernel'
import { getActors } from './account/actors.js'
import { getAdminRecords } from './account/admin-records.js'
import { findAtInbox } from './account/at-inbox.js'
import { byWeek as peopleByWeek } from './account/by-week.js'
import { createAccountByOperator } from './account/create-by-operator.js'
import { getCredit } from './account/credit.js'
import { listTies } from './account/domain-ties.js'
import { listDomains } from './account/domains.js'
import { getFigures } from './account/figures.js'
import { findAccountIds } from './account/find.js'
import { createFirstAdmin } from './account/first-admin.js'
import { listIdentityProofs } from './account/identity-proofs.js'
import { lookupAccount } from './account/lookup.js'
import { showManyAccounts } from './account/many.js'
import { moderateAccounts } from './account/moderate.js'
import { putRemoteAccount } from './account/put-remote.js'
import { accountRecordsOf } from './account/records.js'
import { removeRemoteAccount } from './account/remove-remote.js'
import { askForAccount } from './account/resolve.js'
import { searchPeople } from './account/search.js'
import { showAccount } from './account/show.js'
import { updateCredentials } from './account/update-credentials.js'
import { verifyCredentials } from './account/verify-credentials.js'
import { getWriter } from './account/writer.js'
import { addAlias } from './alias/add.js'
import { listAliases } from './alias/list.js'
import { removeAlias } from './alias/remove.js'
import { createApp } from './app/create.js'
import { verifyApp } from './app/verify-credentials.js'
import { approveAuthorization } from './authorization/approve.js'
import { denyAuthorization } from './authorization/deny.js'
import { prepareAuthorization } from './authorization/prepare.js'
import { renewCodes } from './backup-code/renew.js'
import { createBlock } from './block/create.js'
import { listBlocks } from './block/list.js'
import { removeBlock } from './block/remove.js'
import { getCards } from './card/get.js'
import { collectionOperations } from './collection.js'
import { recountCounters } from './count/recount.js'
import { listDirectory } from './directory/list.js'
import { createDomainBlock } from './domain-block/create.js'
import { listDomainBlocks } from './domain-block/list.js'
import { previewDomainBlock } from './domain-block/preview.js'
import { removeDomainBlock } from './domain-block/remove.js'
import { changeEmail } from './email/change.js'
import { checkEmail } from './email/check.js'
import { confirmAddress } from './email/confirm.js'
import { resendForApp } from './email/confirmations.js'
import { getEmails } from './email/of.js'
import { pageEmails } from './email/page.js'
import { resendByAddress } from './email/resend.js'
import { showEmailState } from './email/state.js'
import { createEmailSubscription } from './email-subscription/create.js'
import { createEndorsement } from './endorsement/create.js'
import { listEndorsements } from './endorsement/list.js'
import { listEndorsementsOf } from './endorsement/list-of.js'
import { removeEndorsement } from './endorsement/remove.js'
import { getExportFigures } from './export/figures.js'
import { getExportOwner } from './export/owner.js'
import { getExportPage } from './export/page.js'
import { listFamiliarFollowers } from './familiar-follower/list.js'
import { createFollow } from './follow/create.js'
import { removeFollow } from './follow/remove.js'
import { authorizeFollowRequest } from './follow-request/authorize.js'
import { listFollowRequests } from './follow-request/list.js'
import { rejectFollowRequest } from './follow-request/reject.js'
import { listFollowees } from './followee/list.js'
import { gained as followersGained } from './follower/gained.js'
import { listFollowers } from './follower/list.js'
import { removeFollower } from './follower/remove.js'
import { listGrants } from './grant/list.js'
import { revokeGrant } from './grant/revoke.js'
import { applyRemoteRelation } from './graph/apply-remote.js'
import { getAudience } from './graph/audience.js'
import { getAuthorFacts } from './graph/author-facts.js'
import { getBlockerInboxes } from './graph/blocker-inboxes.js'
import { getDeed } from './graph/deed.js'
import { getFeedStandings } from './graph/feed-standings.js'
import { getFollowedElsewhere } from './graph/followed-elsewhere.js'
import { getFollowees } from './graph/followees.js'
import { getFollowerDigests } from './graph/follower-digests.js'
import { getFollowersAt } from './graph/followers-at.js'
import { getInboxes } from './graph/inboxes.js'
import { getKeepersApart } from './graph/keepers-apart.js'
import { getRefusals } from './graph/refusals.js'
import { synchronise } from './graph/synchronise.js'
import { getUris } from './graph/uris.js'
import { getViewerFacts } from './graph/viewer-facts.js'
import { getViewersFacts } from './graph/viewers-facts.js'
import { beginIdentity } from './identity/begin.js'
import { claimIdentity } from './identity/claim.js'
import { finishIdentity } from './identity/finish.js'
import { linkIdentity } from './identity/link.js'
import { listIdentities } from './identity/list.js'
import { removeIdentity } from './identity/remove.js'
import { showIdentity } from './identity/show.js'
import { beginImport } from './import/confirm.js'
import { createImport } from './import/create.js'
import { getImportFailures } from './import/failures.js'
import { getImportFilters } from './import/filters.js'
import { listImports } from './import/list.js'
import { removeImport } from './import/remove.js'
import { reportImport } from './import/report.js'
import { showImport } from './import/show.js'
import { createInvite } from './invite/create.js'
import { expireInvite } from './invite/expire.js'
import { listInvites } from './invite/list.js'
import { getRemoteKey } from './key/of-actor.js'
import { getSigningKeys } from './key/signing.js'
import { openLetter } from './letter/open.js'
import { listsContainingAccount } from './list/containing.js'
import { createList } from './list/create.js'
import { indexLists } from './list/index.js'
import { getListOwners } from './list/owners.js'
import { removeList } from './list/remove.js'
import { showList } from './list/show.js'
import { changeList } from './list/update.js'
import { addListMembers } from './list-member/add.js'
import { listListMembers } from './list-member/list.js'
import { removeListMembers } from './list-member/remove.js'
import { usableLogins } from './login/usable.js'
import { applyMove } from './move/apply.js'
import { beginMoving } from './move/begin.js'
import { cancelMove } from './move/cancel.js'
import { showMove } from './move/show.js'
import { createMute } from './mute/create.js'
import { listMutes } from './mute/list.js'
import { removeMute } from './mute/remove.js'
import { setNote } from './note/set.js'
import { beginOneTimeCode } from './one-time-code/begin.js'
import { confirmCodes } from './one-time-code/confirm.js'
import { changeOwnPassword } from './password/change.js'
import { forgotPassword } from './password/forgot.js'
import { resetPassword } from './password/reset.js'
import { removeAvatar } from './picture/remove-avatar.js'
import { removeHeader } from './picture/remove-header.js'
import { changePreference } from './preference/change.js'
import { showChoices } from './preference/choices.js'
import { getChosenLanguages } from './preference/languages.js'
import { getPosting } from './preference/posting.js'
import { showPreferences } from './preference/show.js'
import { changeOwnProfile } from './profile/change.js'
import { getProfile } from './profile/get.js'
import { approveRegistration } from './registration/approve.js'
import { createRegistration } from './registration/create.js'
import { listPending } from './registration/list-pending.js'
import { showOpening } from './registration/opening.js'
import { rejectRegistration } from './registration/reject.js'
import { signUpWithBrowser } from './registration/sign-up.js'
import { listRelationships } from './relationship/list.js'
import { beginRemoval } from './removal/begin.js'
import { getHolders } from './role/of.js'
import { removeSecondFactor } from './second-factor/remove.js'
import { showSecondFactor } from './second-factor/show.js'
import { addSecurityKey } from './security-key/add.js'
import { beginSecurityKey } from './security-key/begin.js'
import { removeSecurityKey } from './security-key/remove.js'
import { alive as sessionAlive } from './session/alive.js'
import { endSession } from './session/end.js'
import { showFactors } from './session/factors.js'
import { finishSignIn } from './session/finish.js'
import { listSessions } from './session/list.js'
import { resolveSession } from './session/resolve.js'
import { signIn } from './session/sign-in.js'
import { signOut } from './session/sign-out.js'
import { getSeveranceCards } from './severance/cards.js'
import { listSeverances } from './severance/list.js'
import { getSeverancePage } from './severance/page.js'
import { listSignIns } from './sign-in/list.js'
import { listSuggestedAccounts } from './suggestion/accounts.js'
import { dismissSuggestion } from './suggestion/dismiss.js'
import { listSuggestions } from './suggestion/list.js'
import { createTokenByOperator } from './token/create-by-operator.js'
import { showTokenInfo } from './token/info.js'
import { introspectToken } from './token/introspect.js'
import { issueToken } from './token/issue.js'
import { showMetadata } from './token/metadata.js'
import { resolveToken } from './token/resolve.js'
import { endTokenOfClient } from './token/revoke.js'
import { showUserInfo } from './user/info.js'
import { changeWebSetting } from './web-setting/change.js'

export const operations: readonly OperationDoor[] = [
  changeWebSetting,
  beginIdentity,
  claimIdentity,
  finishIdentity,
  linkIdentity,
  listIdentities,
  removeIdentity,
  showIdentity,
  getListOwners,
  createRegistration,
  showOpening,
  signUpWithBrowser,
  approveRegistration,
  rejectRegistration,
  listPending,
  checkEmail,
  resendForApp,
  confirmAddress,
  getEmails,
  pageEmails,
  resendByAddress,
  showEmailState,
  changeEmail,
  forgotPassword,
  resetPassword,
  changeOwnPassword,
  listInvites,
  createInvite,
  expireInvite,
  beginRemoval,
  addSecurityKey,
  beginOneTimeCode,
  beginSecurityKey,
  confirmCodes,
  endSession,
  finishSignIn,
  listGrants,
  listSessions,
  listSignIns,
  removeSecondFactor,
  removeSecurityKey,
  renewCodes,
  revokeGrant,
  showFactors,
  showSecondFactor,
  accountRecordsOf,
  getWriter,
  addListMembers,
  addAlias,
  listAliases,
  removeAlias,
  applyMove,
  beginMoving,
  cancelMove,
  showMove,
  applyRemoteRelation,
  getSeveranceCards,
  getSeverancePage,
  listSeverances,
  beginImport,
  createImport,
  getExportFigures,
  getExportOwner,
  getExportPage,
  getImportFailures,
  getImportFilters,
  listImports,
  removeImport,
  reportImport,
  showImport,
  approveAuthorization,
  authorizeFollowRequest,
  createAccountByOperator,
  createApp,
  createBlock,
  createDomainBlock,
  createEmailSubscription,
  createEndorsement,
  createFirstAdmin,
  createFollow,
  createList,
  createMute,
  createTokenByOperator,
  denyAuthorization,
  findAccountIds,
  getActors,
  getAdminRecords,
  getAudience,
  getAuthorFacts,
  getBlockerInboxes,
  getCards,
  getChosenLanguages,
  getDeed,
  getFeedStandings,
  getKeepersApart,
  recountCounters,
  getCredit,
  getFigures,
  listDomains,
  listTies,
  peopleByWeek,
  getFollowedElsewhere,
  getFollowees,
  getHolders,
  getFollowerDigests,
  getFollowersAt,
  getInboxes,
  getRefusals,
  getPosting,
  getRemoteKey,
  getSigningKeys,
  synchronise,
  getUris,
  getViewerFacts,
  getViewersFacts,
  indexLists,
  introspectToken,
  issueToken,
  listBlocks,
  changeOwnProfile,
  dismissSuggestion,
  getProfile,
  listDirectory,
  listDomainBlocks,
  listEndorsements,
  listEndorsementsOf,
  listFamiliarFollowers,
  listFollowRequests,
  listFollowees,
  followersGained,
  listFollowers,
  listIdentityProofs,
  listListMembers,
  listMutes,
  listRelationships,
  listSuggestedAccounts,
  listSuggestions,
  listsContainingAccount,
  lookupAccount,
  moderateAccounts,
  openLetter,
  usableLogins,
  prepareAuthorization,
  previewDomainBlock,
  putRemoteAccount,
  rejectFollowRequest,
  removeAvatar,
  removeBlock,
  removeDomainBlock,
  removeEndorsement,
  removeFollow,
  removeFollower,
  removeHeader,
  removeList,
  removeListMembers,
  removeMute,
  removeRemoteAccount,
  findAtInbox,
  askForAccount,
  resolveSession,
  resolveToken,
  endTokenOfClient,
  searchPeople,
  setNote,
  showAccount,
  showList,
  showManyAccounts,
  showMetadata,
  showPreferences,
  showChoices,
  changePreference,
  showTokenInfo,
  showUserInfo,
  signIn,
  sessionAlive,
  signOut,
  updateCredentials,
  changeList,
  verifyApp,
  verifyCredentials,
  ...collectionOperations,
]
