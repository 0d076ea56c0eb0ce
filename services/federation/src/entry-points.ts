/** Every entry point of federation. Written by `npm run gen`: do not edit. */
import { entryPoints } from '@murmuration/kernel'
import * as archiveMakeArchiveJob from './archive/make-archive.job.js'
import * as archiveOperations from './archive/operations.js'
import * as archiveTicks from './archive/ticks.js'
import * as crawlOperations from './crawl/operations.js'
import * as deliveryDeliverJob from './delivery/deliver.job.js'
import * as deliveryExplainOperation from './delivery/explain.operation.js'
import * as deliveryHostOperation from './delivery/host.operation.js'
import * as deliveryTicks from './delivery/ticks.js'
import * as documentsActorOperation from './documents/actor.operation.js'
import * as documentsCollectionOperation from './documents/collection.operation.js'
import * as documentsContextOperation from './documents/context.operation.js'
import * as documentsEmojiOperation from './documents/emoji.operation.js'
import * as documentsFeaturedCollectionOperation from './documents/featured-collection.operation.js'
import * as documentsNodeinfoOperation from './documents/nodeinfo.operation.js'
import * as documentsNoteOperation from './documents/note.operation.js'
import * as documentsOutboxOperation from './documents/outbox.operation.js'
import * as documentsRepliesOperation from './documents/replies.operation.js'
import * as documentsWebfingerOperation from './documents/webfinger.operation.js'
import * as inboxAccountReaction from './inbox/account.reaction.js'
import * as inboxConsultOriginJob from './inbox/consult-origin.job.js'
import * as inboxOperations from './inbox/operations.js'
import * as inboxProcessJob from './inbox/process.job.js'
import * as inboxReadRelayedJob from './inbox/read-relayed.job.js'
import * as inboxRefetchGoneActorJob from './inbox/refetch-gone-actor.job.js'
import * as inboxSynchroniseFollowersJob from './inbox/synchronise-followers.job.js'
import * as inboxTicks from './inbox/ticks.js'
import * as inboxVerifyReaderJob from './inbox/verify-reader.job.js'
import * as outboxBlockReaction from './outbox/block.reaction.js'
import * as outboxCollectionReaction from './outbox/collection.reaction.js'
import * as outboxFavouriteReaction from './outbox/favourite.reaction.js'
import * as outboxFollowReaction from './outbox/follow.reaction.js'
import * as outboxJobs from './outbox/jobs.js'
import * as outboxPollReaction from './outbox/poll.reaction.js'
import * as outboxProfileReaction from './outbox/profile.reaction.js'
import * as outboxQuoteReaction from './outbox/quote.reaction.js'
import * as outboxReportReaction from './outbox/report.reaction.js'
import * as outboxStatusReaction from './outbox/status.reaction.js'
import * as outboxTicks from './outbox/ticks.js'
import * as relayOperations from './relay/operations.js'
import * as resolverActorOperation from './resolver/actor.operation.js'
import * as resolverFeaturedCollectionOperation from './resolver/featured-collection.operation.js'
import * as resolverStatusOperation from './resolver/status.operation.js'
import * as taskJobs from './task/jobs.js'
import * as taskOperations from './task/operations.js'
import * as taskTicks from './task/ticks.js'

export const { operations, reactions, jobs, ticks } = entryPoints(
  archiveMakeArchiveJob,
  archiveOperations,
  archiveTicks,
  crawlOperations,
  deliveryDeliverJob,
  deliveryExplainOperation,
  deliveryHostOperation,
  deliveryTicks,
  documentsActorOperation,
  documentsCollectionOperation,
  documentsContextOperation,
  documentsEmojiOperation,
  documentsFeaturedCollectionOperation,
  documentsNodeinfoOperation,
  documentsNoteOperation,
  documentsOutboxOperation,
  documentsRepliesOperation,
  documentsWebfingerOperation,
  inboxAccountReaction,
  inboxConsultOriginJob,
  inboxOperations,
  inboxProcessJob,
  inboxReadRelayedJob,
  inboxRefetchGoneActorJob,
  inboxSynchroniseFollowersJob,
  inboxTicks,
  inboxVerifyReaderJob,
  outboxBlockReaction,
  outboxCollectionReaction,
  outboxFavouriteReaction,
  outboxFollowReaction,
  outboxJobs,
  outboxPollReaction,
  outboxProfileReaction,
  outboxQuoteReaction,
  outboxReportReaction,
  outboxStatusReaction,
  outboxTicks,
  relayOperations,
  resolverActorOperation,
  resolverFeaturedCollectionOperation,
  resolverStatusOperation,
  taskJobs,
  taskOperations,
  taskTicks,
)
