/** Renders Conversation JSON: participants, and the last status as the owner of the conversation sees it. */
import { splice } from '@murmuration/cards'
import type { Conversation } from '@murmuration/contracts/entities'
import { type Json, toJson } from '@murmuration/contracts/kit'
import type { Context } from '../context.js'
import { showStatuses } from '../core/render/show-status.js'
import type { ConversationRow } from './store.js'

/**
 * Conversation JSON by id, all of one owner. Unknown participants are omitted; if none is left, the owner is shown
 * (S-095).
 */
export const conversationTexts = async (
  ctx: Context,
  owner: string,
  rows: readonly ConversationRow[],
): Promise<Map<string, Json<Conversation>>> => {
  const [statuses, accountsById] = await Promise.all([
    showStatuses(
      ctx,
      owner,
      rows.map((row) => row.last_status_id),
      'direct',
    ),
    ctx.accountCards.many([owner, ...rows.flatMap((row) => row.participants)]),
  ])
  return new Map(
    rows.map((row) => {
      const others = row.participants.flatMap((id) => accountsById.get(id) ?? [])
      const accounts = others.length ? others : [accountsById.get(owner)]
      return [
        row.id,
        splice<Conversation>(toJson({ id: row.id, unread: row.unread }), {
          accounts: `[${accounts.join(',')}]`,
          last_status: statuses.get(row.last_status_id) ?? 'null',
        }),
      ]
    }),
  )
}

/** JSON of one conversation, as its owner sees it. */
export const conversationText = async (ctx: Context, row: ConversationRow): Promise<Json<Conversation>> =>
  (await conversationTexts(ctx, row.account_id, [row])).get(row.id) ?? ('null' as Json<Conversation>)
