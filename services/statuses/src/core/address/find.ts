/**
 * Finds the status that an address denotes: by ActivityPub id, by an address on any host of this server, or by its page on its
 * own server.
 */
import type { Reader } from '@murmuration/db'
import { canonicalAddress } from '@murmuration/text/own-address'
import type { Context } from '../../context.js'
import { idsByUri, idsByUrl } from '../status/store.js'
import { localStatusId } from './rules.js'

/** Status ids by address. Addresses of no stored status are missing from the result; they are not fetched. */
export const idsByAddress = async (
  ctx: Pick<Context, 'site' | 'ownHosts'>,
  db: Reader,
  addresses: readonly string[],
): Promise<Map<string, string>> => {
  const found = await idsByUri(db, addresses)
  const others = addresses.filter((one) => !found.has(one))
  const pages: string[] = []
  for (const address of others) {
    const id = localStatusId(ctx.site.origin, canonicalAddress(ctx, address))
    if (id !== null) found.set(address, id)
    else pages.push(address)
  }
  for (const [url, id] of await idsByUrl(db, pages)) found.set(url, id)
  return found
}

/** Id of the stored status with this address; null if there is none. */
export const idByAddress = async (
  ctx: Pick<Context, 'site' | 'ownHosts'>,
  db: Reader,
  address: string,
): Promise<string | null> => (await idsByAddress(ctx, db, [address])).get(address) ?? null
