/** Finds a stored account by any of its addresses, without requests to other servers. */
import type { Reader } from '@murmuration/db'
import { lookUpAddress } from '@murmuration/text/own-address'
import type { Context } from '../../context.js'
import { actorOfAddress, handleOfPage, ownerOfPage } from '../address/page.rules.js'
import { type AccountRow, accountsByHandles, accountsByPage, accountsByUris } from './store.js'

type Tools = Pick<Context, 'site' | 'ownHosts' | 'allowsHttp'> & { db: Reader }

const exactlyAt = async (ctx: Tools, address: string): Promise<AccountRow | null> => {
  const [row] = await accountsByUris(ctx.db, [address])
  if (row) return row
  const actor = actorOfAddress(address, ctx)
  if (actor !== null) return (await accountsByUris(ctx.db, [actor]))[0] ?? null
  const page = handleOfPage(address, ctx)
  if (page?.domain === null) return (await accountsByHandles(ctx.db, [page]))[0] ?? null
  return ownerOfPage(await accountsByPage(ctx.db, address), address, page)
}

/**
 * Returns the account with this actor id or profile page, or null. Local accounts are also found by actor id with a
 * slash, query or fragment, and by addresses on other hosts of this server. An address with http also denotes the account
 * that is stored with https.
 */
export const accountAt = async (ctx: Tools, address: string): Promise<AccountRow | null> => {
  const secure = lookUpAddress(ctx, address)
  return (await exactlyAt(ctx, address)) ?? (secure === address ? null : exactlyAt(ctx, secure))
}
