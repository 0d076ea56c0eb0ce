/** Finds a stored account by any of its addresses, without requests to other servers. */
import type { Context } from '../context.js'
import { type AccountRow, accountsByHandles, accountsByUris } from './account.store.js'
import { actorOfAddress, handleOfPage } from './page.rules.js'

/**
 * Returns the account with this actor id or profile page, or null. Local accounts are also found by actor id with a
 * slash, query or fragment.
 */
export const accountAt = async (ctx: Pick<Context, 'db' | 'site'>, address: string): Promise<AccountRow | null> => {
  const [row] = await accountsByUris(ctx.db, [address])
  if (row) return row
  const actor = actorOfAddress(address, ctx.site)
  if (actor !== null) return (await accountsByUris(ctx.db, [actor]))[0] ?? null
  const page = handleOfPage(address, ctx.site)
  const [named] = page === null ? [] : await accountsByHandles(ctx.db, [page])
  // The page of a remote account is only certain if the account states it.
  return named && (named.domain === null || named.url === address) ? named : null
}
