/** The account that an address means. Other servers are not asked. */
import type { Context } from '../context.js'
import { type AccountRow, accountsByHandles, accountsByUris } from './account.store.js'
import { actorOfAddress, handleOfPage } from './page.rules.js'

/** The account with this actor id. A page, an old id, or an id with signs behind it also means an account of this server. */
export const accountAt = async (ctx: Pick<Context, 'db' | 'site'>, address: string): Promise<AccountRow | null> => {
  const [row] = await accountsByUris(ctx.db, [address])
  if (row) return row
  const actor = actorOfAddress(address, ctx.site)
  if (actor !== null) return (await accountsByUris(ctx.db, [actor]))[0] ?? null
  const page = handleOfPage(address, ctx.site)
  return page?.domain === null ? ((await accountsByHandles(ctx.db, [page]))[0] ?? null) : null
}
