/** Adds actions of staff in other services to the audit log. */
import {
  accountCountsRepaired,
  accountTaskStarted,
  inviteManaged,
  roleChanged,
  userManaged,
} from '@murmuration/contracts/accounts'
import { adminTaskStarted, type StaffAct } from '@murmuration/contracts/admin'
import { archiveManaged, hostManaged, relayManaged } from '@murmuration/contracts/federation'
import { emojiManaged, mediaTaskStarted } from '@murmuration/contracts/media'
import { statusCountsRepaired, taxonomyManaged } from '@murmuration/contracts/statuses'
import { once, type ReactionEvent } from '@murmuration/kernel'
import type { Context } from '../context.js'
import { react } from '../doors.js'
import { record } from './record.js'

const add = async (ctx: Context, e: StaffAct & ReactionEvent<typeof roleChanged>): Promise<void> => {
  const { by, action, targetId, target, before, after } = e
  const actor = by === null ? null : { id: by }
  await ctx.db.tx((tx) => once(tx, e, () => record(ctx, tx, actor, { action, targetId, target, before, after })))
}

export const onRoleChanged = react(roleChanged, 'on-role-changed', add)
export const onAccountCountsRepaired = react(accountCountsRepaired, 'on-account-counts-repaired', add)
export const onStatusCountsRepaired = react(statusCountsRepaired, 'on-status-counts-repaired', add)
export const onUserManaged = react(userManaged, 'on-user-managed', add)
export const onInviteManaged = react(inviteManaged, 'on-invite-managed', add)
export const onHostManaged = react(hostManaged, 'on-host-managed', add)
export const onRelayManaged = react(relayManaged, 'on-relay-managed', add)
export const onEmojiManaged = react(emojiManaged, 'on-emoji-managed', add)
export const onArchiveManaged = react(archiveManaged, 'on-archive-managed', add)
export const onAdminTaskStarted = react(adminTaskStarted, 'on-admin-task-started', add)
export const onMediaTaskStarted = react(mediaTaskStarted, 'on-media-task-started', add)
export const onAccountTaskStarted = react(accountTaskStarted, 'on-account-task-started', add)
export const onTaxonomyManaged = react(taxonomyManaged, 'on-taxonomy-managed', add)
