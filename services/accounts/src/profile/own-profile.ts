/**
 * Renders profile JSON for its owner, with texts as typed and as HTML. Pictures are null unless the account has set
 * them.
 */
import type { Profile } from '@murmuration/contracts'
import { notFound } from '@murmuration/contracts/kit'
import type { Context } from '../context.js'
import { accountById } from '../core/account/store.js'
import { profileOf } from '../core/account/view.js'

export const ownProfile = async (
  ctx: Pick<Context, 'db' | 'site'>,
  id: string,
): Promise<Omit<Profile, 'featured_tags'>> => {
  const row = await accountById(ctx.db, id)
  if (row?.domain !== null) throw notFound()
  const shown = profileOf(row, ctx.site)
  return {
    id: row.id,
    display_name: row.display_name,
    note: row.note,
    formatted_note: row.note_html,
    fields: row.fields,
    formatted_fields: row.fields_html,
    avatar: row.avatar ? shown.avatar : null,
    avatar_static: row.avatar ? shown.avatar_static : null,
    avatar_description: row.avatar_description,
    header: row.header ? shown.header : null,
    header_static: row.header ? shown.header_static : null,
    header_description: row.header_description,
    locked: row.locked,
    bot: shown.bot,
    hide_collections: row.hide_collections,
    discoverable: row.discoverable,
    indexable: row.indexable,
    show_media: row.show_media,
    show_media_replies: row.show_media_replies,
    show_featured: row.show_featured,
    attribution_domains: row.attribution_domains,
  }
}
