/** Every entry point of accounts. Written by `npm run gen`: do not edit. */
import { entryPoints } from '@murmuration/kernel'
import * as accountOperations from './account/operations.js'
import * as accountRecordOperation from './account/record.operation.js'
import * as audienceFeedOwnerOperation from './audience/feed-owner.operation.js'
import * as audienceOperations from './audience/operations.js'
import * as blockOperations from './block/operations.js'
import * as collectionCheckJob from './collection/check.job.js'
import * as collectionConsentOperation from './collection/consent.operation.js'
import * as collectionFederationOperation from './collection/federation.operation.js'
import * as collectionItemOperation from './collection/item.operation.js'
import * as collectionJobs from './collection/jobs.js'
import * as collectionOperations from './collection/operations.js'
import * as collectionReactions from './collection/reactions.js'
import * as counterOperations from './counter/operations.js'
import * as counterReactions from './counter/reactions.js'
import * as domainBlockJobs from './domain-block/jobs.js'
import * as domainBlockOperations from './domain-block/operations.js'
import * as emailOperations from './email/operations.js'
import * as emailSubscriptionOperation from './email/subscription.operation.js'
import * as endorsementOperations from './endorsement/operations.js'
import * as exportOperations from './export/operations.js'
import * as followJobs from './follow/jobs.js'
import * as followManyOperation from './follow/many.operation.js'
import * as followOperations from './follow/operations.js'
import * as followRequestOperation from './follow/request.operation.js'
import * as followSynchroniseOperation from './follow/synchronise.operation.js'
import * as followerDigestJobs from './follower-digest/jobs.js'
import * as followerDigestOperations from './follower-digest/operations.js'
import * as identityOperations from './identity/operations.js'
import * as identitySignInOperation from './identity/sign-in.operation.js'
import * as importJobs from './import/jobs.js'
import * as importOperations from './import/operations.js'
import * as importTicks from './import/ticks.js'
import * as inviteOperations from './invite/operations.js'
import * as inviteOwnOperation from './invite/own.operation.js'
import * as inviteReactions from './invite/reactions.js'
import * as listMemberOperation from './list/member.operation.js'
import * as listOperations from './list/operations.js'
import * as mailOperations from './mail/operations.js'
import * as migrationAliasOperation from './migration/alias.operation.js'
import * as migrationJobs from './migration/jobs.js'
import * as migrationOperations from './migration/operations.js'
import * as moderatedAccountOperations from './moderated-account/operations.js'
import * as moderatedAccountRecordOperation from './moderated-account/record.operation.js'
import * as moderationJobs from './moderation/jobs.js'
import * as moderationOperations from './moderation/operations.js'
import * as muteOperations from './mute/operations.js'
import * as muteTicks from './mute/ticks.js'
import * as oauthApplicationOperation from './oauth/application.operation.js'
import * as oauthAuthorizationOperation from './oauth/authorization.operation.js'
import * as oauthGrantOperation from './oauth/grant.operation.js'
import * as oauthTokenOperation from './oauth/token.operation.js'
import * as oauthUserInfoOperation from './oauth/user-info.operation.js'
import * as passwordOperations from './password/operations.js'
import * as preferenceOperations from './preference/operations.js'
import * as preferenceWebSettingOperation from './preference/web-setting.operation.js'
import * as profileJobs from './profile/jobs.js'
import * as profileOperations from './profile/operations.js'
import * as relationshipOperations from './relationship/operations.js'
import * as relationshipRemoteOperation from './relationship/remote.operation.js'
import * as relationshipStateOperation from './relationship/state.operation.js'
import * as remoteAccountJobs from './remote-account/jobs.js'
import * as remoteAccountKeyOperation from './remote-account/key.operation.js'
import * as remoteAccountOperations from './remote-account/operations.js'
import * as remoteAccountTicks from './remote-account/ticks.js'
import * as remoteAccountUpkeepOperation from './remote-account/upkeep.operation.js'
import * as removalOperations from './removal/operations.js'
import * as removalTicks from './removal/ticks.js'
import * as roleHolderOperation from './role/holder.operation.js'
import * as roleOperations from './role/operations.js'
import * as roleRestoreOperation from './role/restore.operation.js'
import * as searchOperations from './search/operations.js'
import * as searchTicks from './search/ticks.js'
import * as secondFactorBackupCodeOperation from './second-factor/backup-code.operation.js'
import * as secondFactorOneTimeCodeOperation from './second-factor/one-time-code.operation.js'
import * as secondFactorOperations from './second-factor/operations.js'
import * as secondFactorSecurityKeyOperation from './second-factor/security-key.operation.js'
import * as secretOperations from './secret/operations.js'
import * as sessionOperations from './session/operations.js'
import * as sessionSignInOperation from './session/sign-in.operation.js'
import * as sessionTicks from './session/ticks.js'
import * as severanceJobs from './severance/jobs.js'
import * as severanceOperations from './severance/operations.js'
import * as signUpApprovalOperation from './sign-up/approval.operation.js'
import * as signUpOperations from './sign-up/operations.js'
import * as signUpOperatorOperation from './sign-up/operator.operation.js'
import * as signUpRefusedOperation from './sign-up/refused.operation.js'
import * as signUpTicks from './sign-up/ticks.js'
import * as signingKeyOperations from './signing-key/operations.js'
import * as signingKeyTicks from './signing-key/ticks.js'
import * as staffTokenOperations from './staff-token/operations.js'
import * as statisticsOperations from './statistics/operations.js'
import * as statisticsTicks from './statistics/ticks.js'
import * as suggestionOperations from './suggestion/operations.js'
import * as suggestionTicks from './suggestion/ticks.js'
import * as taskJobs from './task/jobs.js'
import * as taskOperations from './task/operations.js'
import * as taskTicks from './task/ticks.js'
import * as userOperations from './user/operations.js'
import * as userRestoreOperation from './user/restore.operation.js'
import * as userUsableOperation from './user/usable.operation.js'

export const { operations, reactions, jobs, ticks } = entryPoints(
  accountOperations,
  accountRecordOperation,
  audienceFeedOwnerOperation,
  audienceOperations,
  blockOperations,
  collectionCheckJob,
  collectionConsentOperation,
  collectionFederationOperation,
  collectionItemOperation,
  collectionJobs,
  collectionOperations,
  collectionReactions,
  counterOperations,
  counterReactions,
  domainBlockJobs,
  domainBlockOperations,
  emailOperations,
  emailSubscriptionOperation,
  endorsementOperations,
  exportOperations,
  followJobs,
  followManyOperation,
  followOperations,
  followRequestOperation,
  followSynchroniseOperation,
  followerDigestJobs,
  followerDigestOperations,
  identityOperations,
  identitySignInOperation,
  importJobs,
  importOperations,
  importTicks,
  inviteOperations,
  inviteOwnOperation,
  inviteReactions,
  listMemberOperation,
  listOperations,
  mailOperations,
  migrationAliasOperation,
  migrationJobs,
  migrationOperations,
  moderatedAccountOperations,
  moderatedAccountRecordOperation,
  moderationJobs,
  moderationOperations,
  muteOperations,
  muteTicks,
  oauthApplicationOperation,
  oauthAuthorizationOperation,
  oauthGrantOperation,
  oauthTokenOperation,
  oauthUserInfoOperation,
  passwordOperations,
  preferenceOperations,
  preferenceWebSettingOperation,
  profileJobs,
  profileOperations,
  relationshipOperations,
  relationshipRemoteOperation,
  relationshipStateOperation,
  remoteAccountJobs,
  remoteAccountKeyOperation,
  remoteAccountOperations,
  remoteAccountTicks,
  remoteAccountUpkeepOperation,
  removalOperations,
  removalTicks,
  roleHolderOperation,
  roleOperations,
  roleRestoreOperation,
  searchOperations,
  searchTicks,
  secondFactorBackupCodeOperation,
  secondFactorOneTimeCodeOperation,
  secondFactorOperations,
  secondFactorSecurityKeyOperation,
  secretOperations,
  sessionOperations,
  sessionSignInOperation,
  sessionTicks,
  severanceJobs,
  severanceOperations,
  signUpApprovalOperation,
  signUpOperations,
  signUpOperatorOperation,
  signUpRefusedOperation,
  signUpTicks,
  signingKeyOperations,
  signingKeyTicks,
  staffTokenOperations,
  statisticsOperations,
  statisticsTicks,
  suggestionOperations,
  suggestionTicks,
  taskJobs,
  taskOperations,
  taskTicks,
  userOperations,
  userRestoreOperation,
  userUsableOperation,
)
