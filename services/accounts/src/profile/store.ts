/** Updates the profile of a local account. */
import { jsonOrNull, sql, type Tx } from '@murmuration/db'
import type { StoredEmoji, StoredField, StoredPicture } from '../core/account/store.js'

/** Changes of a profile. Undefined fields stay unchanged. */
export interface ProfileChange {
  displayName?: string | undefined
  note?: string | undefined
  noteHtml?: string | undefined
  /** Custom emoji whose shortcodes the texts of the profile contain. */
  emojis?: readonly StoredEmoji[] | undefined
  fields?: StoredField[] | undefined
  fieldsHtml?: StoredField[] | undefined
  avatar?: StoredPicture | null | undefined
  avatarDescription?: string | undefined
  header?: StoredPicture | null | undefined
  headerDescription?: string | undefined
  locked?: boolean | undefined
  bot?: boolean | undefined
  discoverable?: boolean | undefined
  indexable?: boolean | undefined
  hideCollections?: boolean | undefined
  showMedia?: boolean | undefined
  showMediaReplies?: boolean | undefined
  showFeatured?: boolean | undefined
  attributionDomains?: string[] | undefined
}

/** The texts of a change of a profile, with their HTML and emoji. */
export type ProfileTexts = Pick<ProfileChange, 'displayName' | 'note' | 'noteHtml' | 'fields' | 'fieldsHtml' | 'emojis'>

export const updateProfile = async (tx: Tx, id: string, change: ProfileChange): Promise<void> => {
  const type = change.bot === undefined ? null : change.bot ? 'Service' : 'Person'
  // `coalesce` cannot be used for a picture, because null resets the picture to the default one.
  const avatar = change.avatar === undefined ? sql`avatar` : sql`${jsonOrNull(change.avatar)}::jsonb`
  const header = change.header === undefined ? sql`header` : sql`${jsonOrNull(change.header)}::jsonb`
  await tx.run(sql`update accounts set
      display_name = coalesce(${change.displayName ?? null}, display_name),
      note = coalesce(${change.note ?? null}, note),
      emojis = coalesce(${jsonOrNull(change.emojis)}::jsonb, emojis),
      note_html = coalesce(${change.noteHtml ?? null}, note_html),
      fields = coalesce(${jsonOrNull(change.fields)}::jsonb, fields),
      fields_html = coalesce(${jsonOrNull(change.fieldsHtml)}::jsonb, fields_html),
      avatar = ${avatar}, header = ${header},
      avatar_description = coalesce(${change.avatarDescription ?? null}, avatar_description),
      header_description = coalesce(${change.headerDescription ?? null}, header_description),
      locked = coalesce(${change.locked ?? null}, locked),
      type = coalesce(${type}, type),
      discoverable = coalesce(${change.discoverable ?? null}, discoverable),
      indexable = coalesce(${change.indexable ?? null}, indexable),
      hide_collections = coalesce(${change.hideCollections ?? null}, hide_collections),
      show_media = coalesce(${change.showMedia ?? null}, show_media),
      show_media_replies = coalesce(${change.showMediaReplies ?? null}, show_media_replies),
      show_featured = coalesce(${change.showFeatured ?? null}, show_featured),
      attribution_domains = coalesce(${change.attributionDomains ?? null}::text[], attribution_domains)
    where id = ${id} and domain is null`)
}

/** Locks a local account until the end of the transaction, so that a change depends on its current row. */
export const lockProfile = async (tx: Tx, id: string): Promise<void> => {
  await tx.run(sql`select from accounts where id = ${id} and domain is null for no key update`)
}

/** Avatar and header of an account, which stay unchanged until the end of the transaction. Default pictures are left out. */
export const lockPictures = async (tx: Tx, id: string): Promise<StoredPicture[]> => {
  const row = await tx.row<{ avatar: StoredPicture | null; header: StoredPicture | null }>(
    sql`select avatar, header from accounts where id = ${id} and domain is null for no key update`,
  )
  return [row?.avatar, row?.header].filter((picture) => picture !== null && picture !== undefined)
}
