/** The status that somebody answers, as far as they may. */
import { invalidField } from '@murmuration/contracts/kit'
import type { Context } from '../context.js'
import { notAllowed } from '../core/reblog/rules.js'
import { type ReplyPermission, replyPermission } from '../core/reply/policy.rules.js'
import { replyPolicyFor } from '../core/reply/policy.store.js'
import { type Parent, parentMissing } from '../core/reply/rules.js'
import { type Fact, factsOf } from '../core/viewer/fact.store.js'
import { standingsOf } from '../core/viewer/standings.js'
import { authorsOf } from '../core/visibility/find-status.js'
import { HELD } from '../core/visibility/rules.js'
import { isVisible } from '../core/visibility/shown.js'

export interface RepliedTo extends Parent {
  /** Waits for approval itself, and what its author adds to it waits with it. */
  held: boolean
  /** How the writer with this actor id may answer. */
  allows(uri: string): ReplyPermission
}

/** Other servers say who may answer what they wrote. */
export const policyFor = async (
  ctx: Pick<Context, 'db'>,
  writer: string,
  parent: Pick<Fact, 'id' | 'local' | 'in_reply_to_author_id'>,
): Promise<RepliedTo['allows']> => {
  const found = parent.local ? null : await replyPolicyFor(ctx.db, parent.id, writer)
  const named = (found?.mentioned ?? false) || parent.in_reply_to_author_id === writer
  return (uri) => replyPermission(found?.policy ?? null, { uri, named })
}

/** The status that is answered, seen with the writer’s eyes: of a boost, the original. */
export const repliedToOf = async (ctx: Context, writer: string, id: string): Promise<RepliedTo> => {
  const facts = await factsOf(ctx.db, writer, [id])
  const given = facts.get(id)
  const parent = given?.reblog_of_id ? facts.get(given.reblog_of_id) : given
  const standings = await standingsOf(ctx, writer, authorsOf([given, parent]))
  const eyes = { viewerId: writer, standings }
  if (!given || !parent || !isVisible(eyes, given) || !isVisible(eyes, parent)) throw parentMissing()
  return {
    id: parent.id,
    authorId: parent.author_id,
    inReplyToAccountId: parent.in_reply_to_account_id,
    conversationId: parent.conversation_id,
    held: parent.visibility === HELD,
    allows: await policyFor(ctx, writer, parent),
  }
}

/**
 * Whether the answer waits, and whether somebody is asked for it; null when it may go out at once. Refused where its author
 * lets nobody like the writer answer.
 */
export const waitingOf = (
  answered: RepliedTo | null,
  writer: string,
  more: { quotes: boolean },
): { asks: boolean } | null => {
  const may = answered?.allows(writer) ?? 'free'
  if (may === 'refused') throw notAllowed()
  if (may === 'free' && !answered?.held) return null
  // The author of the quoted status would see the reply before it is approved.
  if (more.quotes) throw invalidField('Cannot quote in an answer that waits for approval.')
  return { asks: may === 'asked' }
}
