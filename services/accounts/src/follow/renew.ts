/** People here say anew that they follow somebody whose server began again: here they go on following, there they ask again. */
import { followRequested } from '@murmuration/contracts/accounts'
import type { Tx } from '@murmuration/db'
import type { Context } from '../context.js'
import { type FollowTable, localRelationsTo, renameRelations } from '../core/follow.store.js'
import { lockName } from '../core/lock.store.js'

const PAGE = 100

/**
 * One page; gives where the next begins, null after the last. The new ids name the run, so that a page which was said already
 * shows it; that one also gives null, for its successor was queued with it.
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
