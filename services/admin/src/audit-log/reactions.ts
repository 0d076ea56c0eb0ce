/** Adds actions of staff in other services to the audit log. */
import {
  accountCountsRepaired,
  accountTaskStarted,
  accountTaskStopped,
  inviteManaged,
  roleChanged,
  userManaged,
} from '@murmuration/contracts/accounts'
import { adminTaskStarted, adminTaskStopped, type StaffAct } from '@murmuration/contracts/admin'
import {
  archiveManaged,
  federationTaskStarted,
  federationTaskStopped,
  hostManaged,
  relayManaged,
} from '@murmuration/contracts/federation'
import { emojiManaged, mediaTaskStarted, mediaTaskStopped } from '@murmuration/contracts/media'
import { cachesManaged, statusCountsRepaired, taxonomyManaged } from '@murmuration/contracts/statuses'
import { processOnce, type ReactionEntry, type ReactionEvent } from '@murmuration/kernel'
import type { Context } from '../context.js'
import { record } from '../core/audit-log/record.js'
import { isEntryId } from '../core/audit-log/store.js'
import { react } from '../handlers.js'

type StaffEvent = typeof roleChanged

/** Adds an entry with the id and the time of the event, so that entries are listed in the order of the actions. */
const add = async (ctx: Context, e: StaffAct & ReactionEvent<typeof roleChanged>): Promise<void> => {
  const { by, action, targetId, target, before, after, batchId, reason } = e
  const actor = by === null ? null : { id: by }
  await ctx.db.tx((tx) =>
    processOnce(tx, e, async () => {
      // If an entry with this id exists, the new entry gets another id. Two services may create the same id within a
      // millisecond.
      const id = (await isEntryId(tx, e.eventId)) ? ctx.ids.at(e.at) : e.eventId
      await record({ ids: ctx.ids, clock: { date: () => new Date(e.at) } }, tx, actor, {
        id,
        action,
        targetId,
        target,
        before,
        after,
        batchId,
        reason,
      })
    }),
  )
}

/** Handles one event at a time, so that the hash chain has the order of the events, except for redelivered events. */
const reactInOrder = (event: StaffEvent, name: string): ReactionEntry => react(event, name, add, { concurrency: 1 })

export const onRoleChanged = reactInOrder(roleChanged, 'on-role-changed')
export const onAccountCountsRepaired = reactInOrder(accountCountsRepaired, 'on-account-counts-repaired')
export const onStatusCountsRepaired = reactInOrder(statusCountsRepaired, 'on-status-counts-repaired')
export const onUserManaged = reactInOrder(userManaged, 'on-user-managed')
export const onInviteManaged = reactInOrder(inviteManaged, 'on-invite-managed')
export const onHostManaged = reactInOrder(hostManaged, 'on-host-managed')
export const onRelayManaged = reactInOrder(relayManaged, 'on-relay-managed')
export const onEmojiManaged = reactInOrder(emojiManaged, 'on-emoji-managed')
export const onArchiveManaged = reactInOrder(archiveManaged, 'on-archive-managed')
export const onAdminTaskStarted = reactInOrder(adminTaskStarted, 'on-admin-task-started')
export const onMediaTaskStarted = reactInOrder(mediaTaskStarted, 'on-media-task-started')
export const onAccountTaskStarted = reactInOrder(accountTaskStarted, 'on-account-task-started')
export const onFederationTaskStarted = reactInOrder(federationTaskStarted, 'on-federation-task-started')
export const onAdminTaskStopped = reactInOrder(adminTaskStopped, 'on-admin-task-stopped')
export const onMediaTaskStopped = reactInOrder(mediaTaskStopped, 'on-media-task-stopped')
export const onAccountTaskStopped = reactInOrder(accountTaskStopped, 'on-account-task-stopped')
export const onFederationTaskStopped = reactInOrder(federationTaskStopped, 'on-federation-task-stopped')
export const onCachesManaged = reactInOrder(cachesManaged, 'on-caches-managed')
export const onTaxonomyManaged = reactInOrder(taxonomyManaged, 'on-taxonomy-managed')
