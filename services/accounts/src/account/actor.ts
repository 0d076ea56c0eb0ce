/**
 * Reads the data of a local account that its actor document needs. For a suspended account, pictures, note, fields and
 * emojis are left out.
 */
import type { LocalActor } from '@murmuration/contracts/accounts'
import type { Site } from '@murmuration/kernel'
import { recordOf } from '../core/account/record.js'
import type { AccountRow } from '../core/account/store.js'

const picture = (row: AccountRow, kind: 'avatar' | 'header', site: Site) => {
  const stored = row[kind]
  if (!stored || row.suspended) return null
  const url = stored.url.startsWith('/') ? `${site.origin}${stored.url}` : stored.url
  return { url, type: stored.media_type, description: row[`${kind}_description`] }
}

export const actorOf = (row: AccountRow, site: Site, publicPem: string): LocalActor => ({
  ...recordOf(row),
  note: row.suspended ? '' : row.note_html,
  fields: row.suspended ? [] : row.fields_html.map(({ name, value }) => ({ name, value })),
  emojis: row.suspended ? [] : row.emojis,
  publicPem,
  avatar: picture(row, 'avatar', site),
  header: picture(row, 'header', site),
  hide_collections: row.hide_collections ?? false,
  memorial: row.memorial,
  show_featured: row.show_featured,
  show_media: row.show_media,
  show_media_replies: row.show_media_replies,
  also_known_as: row.also_known_as,
  attribution_domains: row.attribution_domains,
  followers_count: row.followers_count,
  following_count: row.following_count,
  statuses_count: row.statuses_count,
})
