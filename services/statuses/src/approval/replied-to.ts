/** Loads the parent of a new reply, and decides whether the author of the reply may post it. */
import { invalidField } from '@murmuration/contracts/kit'
import type { Context } from '../context.js'
import { notAllowed } from '../core/reblog/rules.js'
import { type ReplyPermission, replyPermission } from '../core/reply/policy.rules.js'
import { replyPolicyFor } from '../core/reply/policy.store.js'
import { type Parent, parentMissing } from '../core/reply/rules.js'
import { type LoadedStatus, loadStatuses } from '../core/viewer/loaded-status.store.js'
import { relationshipsOf } from '../core/viewer/relationships.js'
import { authorsOf } from '../core/visibility/find-status.js'
import { HELD } from '../core/visibility/rules.js'
import { isVisible } from '../core/visibility/shown.js'

export interface RepliedTo extends Parent {
  /** True if the parent is held for approval. Replies by the parent's author are then held with it. */
  held: boolean
  /** Returns whether the account whose actor has this URI may reply. */
  allows(uri: string): ReplyPermission
}

/** Permission of `replyAuthor` to reply to a status. Local statuses have no reply policy. */
export const policyFor = async (
  ctx: Pick<Context, 'db'>,
  replyAuthor: string,
  parent: Pick<LoadedStatus, 'id' | 'local' | 'in_reply_to_author_id'>,
): Promise<RepliedTo['allows']> => {
  const found = parent.local ? null : await replyPolicyFor(ctx.db, parent.id, replyAuthor)
  const named = (found?.mentioned ?? false) || parent.in_reply_to_author_id === replyAuthor
  return (uri) => replyPermission(found?.policy ?? null, { uri, named })
}

/** The visible status that is replied to; of a boost, the original. Throws if the author of the reply may not see the parent. */
export const repliedToOf = async (ctx: Context, replyAuthor: string, id: string): Promise<RepliedTo> => {
  const statuses = await loadStatuses(ctx.db, replyAuthor, [id])
  const given = statuses.get(id)
  const parent = given?.reblog_of_id ? statuses.get(given.reblog_of_id) : given
  const relationships = await relationshipsOf(ctx, replyAuthor, authorsOf([given, parent]))
  const access = { viewerId: replyAuthor, relationships }
  if (!given || !parent || !isVisible(access, given) || !isVisible(access, parent)) throw parentMissing()
  return {
    id: parent.id,
    authorId: parent.author_id,
    inReplyToAccountId: parent.in_reply_to_account_id,
    conversationId: parent.conversation_id,
    held: parent.visibility === HELD,
    allows: await policyFor(ctx, replyAuthor, parent),
  }
}

/**
 * Whether a new reply must be held: `needsApproval` if the author of the parent must approve the reply. Null if the
 * reply is shown at once. Throws if the reply policy refuses the author of the reply.
 */
export const waitingOf = (
  parent: RepliedTo | null,
  replyAuthor: string,
  more: { quotes: boolean },
): { needsApproval: boolean } | null => {
  const may = parent?.allows(replyAuthor) ?? 'automatic'
  if (may === 'denied') throw notAllowed()
  if (may === 'automatic' && !parent?.held) return null
  // Refuses a quote in a reply that needs approval: the quoted author would see the reply before its approval.
  if (more.quotes) throw invalidField('Cannot quote in a reply that requires approval.')
  return { needsApproval: may === 'manual' }
}
