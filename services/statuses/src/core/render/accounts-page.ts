/**
 * A page of accounts that interacted with a status, in the order of `rows`. Accounts that the viewer blocks or mutes,
 * or that block the viewer, are omitted.
 */
import type { Account } from '@murmuration/contracts/entities'
import { type PageOutput, pageReply, type Reply } from '@murmuration/contracts/kit'
import { type Cursor, endsOf, newestFirst } from '@murmuration/db'
import type { Context } from '../../context.js'
import { standingsOf } from '../viewer/standings.js'

export const accountsPage = async (
  ctx: Context,
  viewerId: string | null,
  output: PageOutput,
  page: Cursor,
  rows: readonly { id: string; account_id: string }[],
): Promise<Reply<Account[]>> => {
  const people = newestFirst(rows, page)
  const ids = people.map((one) => one.account_id)
  const [cards, standings] = await Promise.all([ctx.accountCards.many(ids), standingsOf(ctx, viewerId, ids)])
  const isWanted = (id: string): boolean => {
    if (viewerId === null || id === viewerId) return true
    const standing = standings.get(id)
    return standing !== undefined && !standing.blocking && !standing.blocked_by && !standing.muting
  }
  return pageReply(
    output,
    ids.filter(isWanted).flatMap((id) => cards.get(id) ?? []),
    endsOf(
      people.map((one) => one.id),
      page,
    ),
  )
}
