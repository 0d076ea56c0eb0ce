/** People here say anew that they follow somebody whose server began again: here they go on following, there they ask again. */
import { followRequested } from '@murmuration/contracts/accounts'
import type { Tx } from '@murmuration/db'
import type { Context } from '../context.js'
import { type FollowTable, localRelationsTo, renameRelations } from '../store/follow.js'

const PAGE = 100

/** One page; gives where the next begins, null after the last. */
export const renewFollows = async (
  ctx: Pick<Context, 'announce' | 'ids'>,
  tx: Tx,
  it: { account: string; which: FollowTable; after: string },
): Promise<string | null> => {
  const page = await localRelationsTo(tx, it.which, it.account, { after: it.after, limit: PAGE })
  // Under an id of its own each time: what was sent once is not sent again.
  const fresh = page.map(({ id, actor }) => ({ id, uri: `${actor}#follows/${ctx.ids.next()}` }))
  await ctx.announce(tx, followRequested, ...(await renameRelations(tx, it.which, fresh)))
  return page.length < PAGE ? null : (page.at(-1)?.id ?? null)
}
