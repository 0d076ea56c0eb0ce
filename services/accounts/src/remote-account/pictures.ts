/**
 * Requests local URLs for pictures of remote accounts from the media service. If the media service does not respond,
 * the accounts have default pictures.
 */
import type { RemoteActor } from '@murmuration/contracts/accounts'
import { proxyUrls } from '@murmuration/contracts/media'
import type { Context } from '../context.js'
import type { StoredEmoji, StoredPicture } from '../core/account/store.js'

export interface RemotePictures {
  avatar: StoredPicture | null
  header: StoredPicture | null
  emojis: StoredEmoji[]
}

const MAX_EMOJIS = 100

/** Requests the local URLs of all pictures of a profile in one call. If the call fails, the profile is stored without pictures. */
export const remotePicturesOf = async (
  ctx: Pick<Context, 'call' | 'log'>,
  owner: string,
  actor: RemoteActor,
): Promise<RemotePictures> => {
  const wanted = actor.emojis.slice(0, MAX_EMOJIS)
  const { domain } = actor
  const items = [
    ...(actor.avatar_url ? [{ owner, kind: 'avatar' as const, remote: actor.avatar_url, domain }] : []),
    ...(actor.header_url ? [{ owner, kind: 'header' as const, remote: actor.header_url, domain }] : []),
    ...wanted.map(({ shortcode, url, updated }) => ({
      owner: domain,
      kind: 'emoji' as const,
      remote: url,
      shortcode,
      updated,
      domain,
    })),
  ]
  if (items.length === 0) return { avatar: null, header: null, emojis: [] }
  const { urls, static_urls } = await ctx.call(proxyUrls, { items }, { timeoutMs: 2_000 }).catch((error) => {
    ctx.log.warn({ error }, 'pictures of a remote account have no address yet')
    return { urls: {} as Record<string, string>, static_urls: {} as Record<string, string> }
  })
  const pair = (remote: string) => {
    const url = urls[remote]
    return url === undefined ? null : { url, static_url: static_urls[remote] ?? url }
  }
  const picture = (remote: string | null): StoredPicture | null => {
    const found = remote === null ? null : pair(remote)
    return found && { ...found, media_type: '' }
  }
  return {
    avatar: picture(actor.avatar_url),
    header: picture(actor.header_url),
    emojis: wanted.flatMap((one) => {
      const found = pair(one.url)
      return found ? [{ shortcode: one.shortcode, ...found }] : []
    }),
  }
}
