/** The status that an address means: by its id, by an address of this server, or by the page that its own server named. */
import type { Reader } from '@murmuration/db'
import type { Context } from '../../context.js'
import { idsByUri, idsByUrl } from '../status/store.js'
import { localStatusId } from './rules.js'

/** Ids of statuses by address; nothing is fetched. */
export const idsByAddress = async (
  ctx: Pick<Context, 'site'>,
  db: Reader,
  addresses: readonly string[],
): Promise<Map<string, string>> => {
  const found = await idsByUri(db, addresses)
  const others = addresses.filter((one) => !found.has(one))
  const pages: string[] = []
  for (const address of others) {
    const id = localStatusId(ctx.site.origin, address)
    if (id !== null) found.set(address, id)
    else pages.push(address)
  }
  for (const [url, id] of await idsByUrl(db, pages)) found.set(url, id)
  return found
}

/** The same for one address. */
export const idByAddress = async (ctx: Pick<Context, 'site'>, db: Reader, address: string): Promise<string | null> =>
  (await idsByAddress(ctx, db, [address])).get(address) ?? null
