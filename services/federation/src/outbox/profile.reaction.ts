/** Event handlers that publish changes, moves and deletions of local accounts, and pins and hashtags of their profiles. */

import { writeDeleteOfActor, writeMove } from '@murmuration/activitypub/vocabulary/write-activity'
import { accountChanged, accountMoved, accountRemoved } from '@murmuration/contracts/accounts'
import { statusPinned, statusUnpinned, tagFeatured, tagUnfeatured } from '@murmuration/contracts/statuses'
import { ageArchives } from '../archive/index.js'
import { recordGone } from '../core/actor/gone.store.js'
import { react } from '../handlers.js'
import { blockerInboxesOf, followerInboxes, recordsOf } from './audience.js'
import { sendFeaturedTag } from './featured-tag.js'
import { sendMissedDeletes } from './late-recipient.js'
import { publishPin } from './pin.js'
import { recordProfileChange } from './profile-change.store.js'
import { publish } from './publish.js'
import { relayInboxes } from './relay.js'

/** Delay of the Update after the last change, so that several changes cause one Update. */
const QUIET_MS = 5_000

export const onAccountChanged = react(accountChanged, 'on-account-changed', async (ctx, e) => {
  if (!e.flags.local || !e.profile) return
  await recordProfileChange(ctx.db, {
    accountId: e.id,
    seq: e.eventId,
    changedAt: new Date(e.at),
    dueAt: new Date(ctx.clock.now() + QUIET_MS),
  })
})

/** Publishes the move of a local account to servers of its followers, and of accounts that block it. */
export const onAccountMoved = react(accountMoved, 'on-account-moved', async (ctx, e) => {
  if (!e.local) return
  const account = (await recordsOf(ctx, [e.id])).get(e.id)
  // The move was cancelled, or replaced by another move, before this Move was sent.
  if (!account || account.moved_to_id !== e.target) return
  const activity = writeMove({
    id: `${e.uri}#moves/${e.eventId}`,
    actor: e.uri,
    target: e.targetUri,
    followers: account.followers_url ?? `${e.uri}/followers`,
  })
  const found = await Promise.all([followerInboxes(ctx, e.id), blockerInboxesOf(ctx, e.id), relayInboxes(ctx)])
  await publish(ctx, {
    actorId: e.id,
    seq: e.eventId,
    activity,
    uri: activity.id,
    kind: 'Move',
    about: activity.id,
    inboxes: found.flat(),
  })
})

/**
 * Publishes the Delete of a local account to followers and all its delivery recipients. Documents of the deleted
 * account then respond 410.
 */
export const onAccountRemoved = react(accountRemoved, 'on-account-removed', async (ctx, e) => {
  if (!e.local) return
  const activity = writeDeleteOfActor(e.uri)
  await publish(ctx, {
    actorId: e.id,
    seq: e.eventId,
    activity,
    uri: activity.id,
    kind: 'Delete',
    about: e.uri,
    isActorDeletion: true,
    // Relays need not be added, because relays that received an activity are delivery recipients of the account.
    inboxes: await followerInboxes(ctx, e.id),
    receivers: 'recipients',
    inTransaction: async (tx) => {
      await recordGone(tx, { accountId: e.id, uri: e.uri })
      await ageArchives(tx, e.id)
    },
  })
  // The Deletes are also sent to servers that became delivery recipients during the transaction.
  await sendMissedDeletes(ctx, [{ uri: e.uri, author: e.id }], { inboxes: [], toAllRecipients: true })
})

/** Publishes the Add of a pinned status to the `featured` collection. */
export const onStatusPinned = react(statusPinned, 'on-status-pinned', (ctx, e) => publishPin(ctx, 'Add', e))

/** Publishes the Remove of an unpinned status from the `featured` collection. */
export const onStatusUnpinned = react(statusUnpinned, 'on-status-unpinned', (ctx, e) => publishPin(ctx, 'Remove', e))

/** Publishes the Add of a hashtag to the `featured` collection. The Add also changes the profile. */
export const onTagFeatured = react(tagFeatured, 'on-tag-featured', (ctx, e) => sendFeaturedTag(ctx, 'Add', e))

/** Publishes the Remove of a hashtag from the `featured` collection. The Remove also changes the profile. */
export const onTagUnfeatured = react(tagUnfeatured, 'on-tag-unfeatured', (ctx, e) => sendFeaturedTag(ctx, 'Remove', e))
