/**
 * Finds the status that an address denotes: by ActivityPub id, by an address on any host of this server, or by its page on its
 * own server. An address with http also denotes the status that is stored with https.
 */
import type { Reader } from '@murmuration/db'
import { canonicalAddress, lookUpAddress } from '@murmuration/text/own-address'
import type { Context } from '../../context.js'
import { idsByUri, idsByUrl } from '../status/store.js'
import { localStatusId } from './rules.js'

type Rules = Pick<Context, 'site' | 'ownHosts' | 'allowsHttp'>

/** Status ids by address. Addresses of no stored status are missing from the result; they are not fetched. */
export const idsByAddress = async (
  ctx: Rules,
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
  // The address with http is compared first, because some old ids have http.
  const secured = pages.flatMap((address) => {
    const secure = lookUpAddress(ctx, address)
    return found.has(address) || secure === address ? [] : [{ address, secure }]
  })
  const secures = secured.map(({ secure }) => secure)
  const [byUri, byUrl] = await Promise.all([idsByUri(db, secures), idsByUrl(db, secures)])
  for (const { address, secure } of secured) {
    const id = byUri.get(secure) ?? byUrl.get(secure)
    if (id !== undefined) found.set(address, id)
  }
  return found
}

/** Id of the stored status with this address; null if there is none. */
export const idByAddress = async (ctx: Rules, db: Reader, address: string): Promise<string | null> =>
  (await idsByAddress(ctx, db, [address])).get(address) ?? null
