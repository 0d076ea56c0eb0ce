/** Converts attachments, custom emoji, tags and poll of a remote status to their stored form. */
import type { AccountRecord } from '@murmuration/contracts/accounts'
import { limits } from '@murmuration/contracts/limits'
import { proxyUrls, putRemoteAttachments } from '@murmuration/contracts/media'
import type { RemoteStatus } from '@murmuration/contracts/statuses'
import { normaliseTag, remoteAddress } from '@murmuration/text'
import type { Context } from '../context.js'
import type { NewPoll } from '../core/poll/store.js'
import { timeOrNull } from '../core/status/remote.rules.js'
import type { Emoji } from '../core/status/store.js'
import type { TagName } from '../core/tag/store.js'

/** Maximum number of custom emoji and of tags per status. */
const MAX_EMOJIS_AND_TAGS = 100
const MAX_COUNT = 2_147_483_647

export const emojisOf = async (ctx: Context, status: RemoteStatus, author: AccountRecord): Promise<Emoji[]> => {
  const given = status.emojis.slice(0, MAX_EMOJIS_AND_TAGS)
  if (given.length === 0) return []
  const { urls, static_urls } = await ctx.call(proxyUrls, {
    items: given.map(({ shortcode, url, updated }) => ({
      owner: author.domain ?? '',
      kind: 'emoji' as const,
      remote: url,
      shortcode,
      updated,
    })),
  })
  return given.flatMap(({ shortcode, url }) => {
    const ours = urls[url]
    return ours ? [{ shortcode, url: ours, static_url: static_urls[url] ?? ours }] : []
  })
}

/**
 * Attachments that media can store, in order and each once. With other attachments, each received version would seem to
 * differ from the stored one, which never has them.
 */
export const usableAttachments = (
  { site }: Pick<Context, 'site'>,
  { attachments }: Pick<RemoteStatus, 'attachments'>,
): RemoteStatus['attachments'] => {
  const given = attachments.slice(0, limits.statuses.maxMedia).flatMap((one) => {
    const address = remoteAddress(one.url, [site.localDomain, site.webDomain])
    return address === null ? [] : [[address, one] as const]
  })
  return [...new Map(given).values()]
}

/**
 * Ids of the usable attachments in order. A repeated call for the same status returns the same ids. With `keepOthers`,
 * the other attachments of the status stay, because the history of an edited status shows them (S-013).
 */
export const mediaOf = async (
  ctx: Context,
  status: RemoteStatus,
  author: AccountRecord,
  id: string,
  keepOthers = false,
): Promise<string[]> => {
  const attachments = usableAttachments(ctx, status)
  if (attachments.length === 0) return []
  const from = { owner: status.author, ...(author.domain && { domain: author.domain }) }
  return (await ctx.call(putRemoteAttachments, { ...from, status: id, attachments, ...(keepOthers && { keepOthers }) }))
    .ids
}

export const tagsOf = (status: RemoteStatus): TagName[] =>
  [...new Map(status.tags.map((tag) => [normaliseTag(tag.name), tag.display])).entries()]
    .filter(([name]) => name !== '')
    .slice(0, MAX_EMOJIS_AND_TAGS)
    .map(([name, display]) => ({ name, display: display.slice(0, 500) }))

/** A count of a remote server as an integer from 0 to 2,147,483,647. */
const boundedCount = (n: number): number => (Number.isFinite(n) ? Math.min(Math.max(0, Math.floor(n)), MAX_COUNT) : 0)

export const remotePollOf = (
  id: string,
  status: RemoteStatus,
  of: { status: string; author: string },
): NewPoll | undefined => {
  const { poll } = status
  if (poll === null || poll.options.length === 0) return undefined
  return {
    id,
    status_id: of.status,
    author_id: of.author,
    local: false,
    options: poll.options.map((option) => option.title),
    names: poll.options.some((option) => option.name)
      ? poll.options.map((option) => option.name ?? option.title)
      : null,
    votes: poll.options.map((option) => boundedCount(option.votes)),
    voters: poll.voters === null ? null : boundedCount(poll.voters),
    multiple: poll.multiple,
    hide_totals: false,
    expires_at: timeOrNull(poll.expires_at),
  }
}
