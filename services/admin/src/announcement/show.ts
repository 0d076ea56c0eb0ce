/** Announcements in API form: HTML, mentioned accounts, hashtags, linked statuses, and emoji reactions. */
import { splice } from '@murmuration/cards'
import { accountRecords } from '@murmuration/contracts/accounts'
import type { StoredAnnouncement } from '@murmuration/contracts/admin'
import type { Announcement, Reaction, Status } from '@murmuration/contracts/entities'
import { isId, type Json, jsonArray, toJson } from '@murmuration/contracts/kit'
import { findEmojis } from '@murmuration/contracts/media'
import { renderByIds } from '@murmuration/contracts/statuses'
import { chunk } from '@murmuration/flow'
import { handleKey, hashtagsIn, mentionsIn, renderStatusHtml, shortcodesIn, urlsIn } from '@murmuration/text'
import type { Context } from '../context.js'
import { type AnnouncementRow, type ReactionRow, reactionsTo } from './store.js'

const HANDLES = 200
const STATUSES = 200

/** Statuses of this server that a text links to. */
const statusIdsIn = (text: string, origin: string): string[] => [
  ...new Set(
    urlsIn(text).flatMap(({ url }) => {
      const id = url.startsWith(`${origin}/@`)
        ? /^\/@[^/]+\/(\d{1,19})$/.exec(url.slice(origin.length))?.[1]
        : undefined
      return id !== undefined && isId(id) ? id : []
    }),
  ),
]

const iso = (at: Date | null): string | null => at?.toISOString() ?? null

/** An announcement as staff sees it. */
export const storedAnnouncement = (row: AnnouncementRow): StoredAnnouncement => ({
  id: row.id,
  text: row.text,
  starts_at: iso(row.starts_at),
  ends_at: iso(row.ends_at),
  all_day: row.all_day,
  scheduled_at: iso(row.scheduled_at),
  published_at: iso(row.published_at),
})

const reactionOf = (row: ReactionRow, me: boolean): Reaction => ({
  name: row.name,
  count: row.count,
  ...(me ? { me: row.me } : {}),
  ...(row.url && row.static_url ? { url: row.url, static_url: row.static_url } : {}),
})

/**
 * Renders announcements for a viewer. Without a viewer (null), the announcements lack `read` and `me`, as in streaming
 * events.
 */
export const renderAnnouncements = async (
  ctx: Context,
  viewer: string | null,
  rows: readonly (AnnouncementRow & { read?: boolean })[],
): Promise<Json<Announcement>[]> => {
  const { origin, handleDomains } = ctx.site
  const keysIn = (text: string) => mentionsIn(text).map((mention) => handleKey(mention, handleDomains))
  const keys = [...new Set(rows.flatMap((row) => keysIn(row.text)))].slice(0, HANDLES)
  const linked = [...new Set(rows.flatMap((row) => statusIdsIn(row.text, origin)))].slice(0, 5 * STATUSES)
  const shortcodes = [...new Set(rows.flatMap((row) => shortcodesIn(row.text)))].slice(0, HANDLES)
  const [reactions, named, decorated, rendered] = await Promise.all([
    reactionsTo(
      ctx.db,
      rows.map((row) => row.id),
      viewer,
    ),
    keys.length ? ctx.call(accountRecords, { handles: keys }) : { records: [] },
    shortcodes.length ? ctx.call(findEmojis, { shortcodes }) : { emojis: [] },
    Promise.all(chunk(linked, STATUSES).map((ids) => ctx.call(renderByIds, { viewer, ids, place: 'public' }))),
  ])
  const accounts = new Map(
    named.records.flatMap((record) => {
      const { id, username, acct, url, domain } = record
      const target = { id, username, acct, url: url ?? record.uri }
      return [[domain === null ? username.toLowerCase() : `${username.toLowerCase()}@${domain}`, target] as const]
    }),
  )
  const statuses = new Map<string, Json<Status>>(rendered.flatMap((part) => [...part]))
  const tagUrl = (name: string) => `${origin}/tags/${encodeURIComponent(name)}`

  return rows.map((row) => {
    const mentioned = [...new Set(keysIn(row.text))]
    const own: Omit<Announcement, 'statuses'> = {
      id: row.id,
      content: renderStatusHtml(row.text, { mentions: accounts, tagUrl, handleDomains }),
      starts_at: iso(row.starts_at),
      ends_at: iso(row.ends_at),
      all_day: row.all_day,
      published_at: (row.published_at ?? row.created_at).toISOString(),
      updated_at: row.updated_at.toISOString(),
      ...(viewer === null ? {} : { read: row.read ?? false }),
      mentions: mentioned.flatMap((key) => accounts.get(key) ?? []),
      tags: hashtagsIn(row.text).map(({ name }) => ({ name, url: tagUrl(name) })),
      emojis: decorated.emojis
        .filter((one) => shortcodesIn(row.text).includes(one.shortcode))
        .map((one) => ({ ...one, visible_in_picker: true, featured: false })),
      reactions: reactions
        .filter((reaction) => reaction.announcement_id === row.id)
        .map((reaction) => reactionOf(reaction, viewer !== null)),
    }
    const shown = statusIdsIn(row.text, origin).flatMap((id) => statuses.get(id) ?? [])
    return splice<Announcement>(toJson(own), { statuses: jsonArray(shown) })
  })
}
