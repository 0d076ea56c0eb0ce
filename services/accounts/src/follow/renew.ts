/** Sends Follow activities again to a remote account whose server was reset. The follows stay, and the activities have new ids. */
import { followRequested } from '@murmuration/contracts/accounts'
import type { Tx } from '@murmuration/db'
import type { Context } from '../context.js'
import { type FollowTable, localRelationsTo, renameRelations } from '../core/follow/store.js'
import { lockName } from '../core/lock.store.js'

const PAGE = 100

/**
 * Renews one page of follows. Returns the cursor of the next page; null after the last page. The new activity ids
 * contain the id of the run, which shows that a page was renewed already. For a page that was renewed already, null is
 * returned, because its next page is queued already.
 */
export const renewFollows = async (
  ctx: Pick<Context, 'announce'>,
  tx: Tx,
  it: { account: string; which: FollowTable; after: string; run: string },
): Promise<string | null> => {
  await lockName(tx, `renew ${it.run}`)
  const page = await localRelationsTo(tx, it.which, it.account, { after: it.after, limit: PAGE })
  const fresh = page.map(({ id, actor }) => ({ id, uri: `${actor}#follows/${it.run}` }))
  if (page.some((one, n) => one.uri === fresh[n]?.uri)) return null
  await ctx.announce(tx, followRequested, ...(await renameRelations(tx, it.which, fresh)))
  return page.length < PAGE ? null : (page.at(-1)?.id ?? null)
}
