/**
 * A page of accounts that interacted with a status, in the order of `rows`. Accounts that the viewer blocks or mutes,
 * or that block the viewer, are omitted.
 */
import type { Account } from '@murmuration/contracts/entities'
import { type PageOutput, pageReply, type Reply } from '@murmuration/contracts/kit'
import { type Cursor, endsOf, newestFirst } from '@murmuration/db'
import type { Context } from '../../context.js'
import { relationshipsOf } from '../viewer/relationships.js'

export const accountsPage = async (
  ctx: Context,
  viewerId: string | null,
  output: PageOutput,
  page: Cursor,
  rows: readonly { id: string; account_id: string }[],
): Promise<Reply<Account[]>> => {
  const accounts = newestFirst(rows, page)
  const ids = accounts.map((one) => one.account_id)
  const [cards, relationships] = await Promise.all([ctx.accountCards.many(ids), relationshipsOf(ctx, viewerId, ids)])
  const isWanted = (id: string): boolean => {
    if (viewerId === null || id === viewerId) return true
    const relationship = relationships.get(id)
    return relationship !== undefined && !relationship.blocking && !relationship.blocked_by && !relationship.muting
  }
  return pageReply(
    output,
    ids.filter(isWanted).flatMap((id) => cards.get(id) ?? []),
    endsOf(
      accounts.map((one) => one.id),
      page,
    ),
  )
}
