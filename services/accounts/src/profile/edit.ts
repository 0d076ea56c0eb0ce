/** Edits the profile of a local account: validates the input, creates pictures and HTML, and stores one change. */
import { notFound } from '@murmuration/contracts/kit'
import { findEmojis, type StagedFile } from '@murmuration/contracts/media'
import { cleanText, supportedLanguage } from '@murmuration/text'
import type { Context } from '../context.js'
import { type AccountRow, accountById, type StoredEmoji, type StoredPicture } from '../core/account/store.js'
import { refuseIfAny } from '../core/problem.rules.js'
import { changeProfile } from './change.js'
import { profileHtml } from './html.js'
import { pictureFrom, releasePictures } from './picture.js'
import {
  domainsToStore,
  emojisToStore,
  emojiTexts,
  fieldsToStore,
  oneLine,
  type ProfileInput,
  profileProblems,
  shortcodesOf,
  trimmedFields,
} from './rules.js'
import type { ProfileTexts } from './store.js'

/** Input of a profile edit. Absent fields stay unchanged. */
export interface ProfileEdit extends ProfileInput {
  avatar: StagedFile | null
  header: StagedFile | null
  locked?: boolean | undefined
  bot?: boolean | undefined
  discoverable?: boolean | undefined
  indexable?: boolean | undefined
  hide_collections?: boolean | undefined
  show_media?: boolean | undefined
  show_media_replies?: boolean | undefined
  show_featured?: boolean | undefined
  source?: (ProfileInput['source'] & { sensitive?: boolean | undefined }) | undefined
}

/** Custom emoji of this server with the given shortcodes. */
const emojisOf = async (ctx: Context, shortcodes: string[]): Promise<StoredEmoji[]> =>
  shortcodes.length === 0 ? [] : (await ctx.call(findEmojis, { shortcodes })).emojis

/**
 * Renders the texts of an edit. Returns a function that completes them from the locked row, because another edit may
 * have changed the other texts meanwhile.
 */
const textsOf = async (
  ctx: Context,
  read: AccountRow,
  input: ProfileEdit,
): Promise<((before: AccountRow) => ProfileTexts) | undefined> => {
  const displayName = input.display_name === undefined ? undefined : oneLine(input.display_name)
  const note = input.note === undefined ? undefined : cleanText(input.note).trim()
  const typed = input.fields_attributes && trimmedFields(input.fields_attributes)
  if (displayName === undefined && note === undefined && typed === undefined) return undefined
  const textsAfter = (row: AccountRow): string[] =>
    emojiTexts({
      display_name: displayName ?? row.display_name,
      note: note ?? row.note,
      fields: typed ?? row.fields,
    })
  const lookedUp = shortcodesOf(textsAfter(read))
  const [html, found] = await Promise.all([
    profileHtml(ctx, { note, fields: typed?.map((field) => field.value) }),
    emojisOf(ctx, lookedUp),
  ])
  return (before) => ({
    displayName,
    note,
    noteHtml: html.note,
    ...(typed && fieldsToStore(typed, html.fields ?? [], before.fields)),
    emojis: emojisToStore(textsAfter(before), { lookedUp, found }, before.emojis),
  })
}

/** Stores an edit of a profile with the pictures that were created for it. */
const storeEdit = async (
  ctx: Context,
  read: AccountRow,
  input: ProfileEdit,
  [avatar, header]: readonly (StoredPicture | undefined)[],
): Promise<void> => {
  const language = input.source?.language
  await changeProfile(
    ctx,
    read.id,
    {
      avatar,
      avatarDescription: input.avatar_description,
      header,
      headerDescription: input.header_description,
      locked: input.locked,
      bot: input.bot,
      discoverable: input.discoverable,
      indexable: input.indexable,
      hideCollections: input.hide_collections,
      showMedia: input.show_media,
      showMediaReplies: input.show_media_replies,
      showFeatured: input.show_featured,
      attributionDomains: input.attribution_domains && domainsToStore(input.attribution_domains),
    },
    {
      privacy: input.source?.privacy,
      sensitive: input.source?.sensitive,
      language: language === undefined ? undefined : language ? supportedLanguage(language) : null,
      quotePolicy: input.source?.quote_policy,
    },
    await textsOf(ctx, read, input),
  )
}

export const editProfile = async (ctx: Context, id: string, input: ProfileEdit): Promise<void> => {
  refuseIfAny(profileProblems(input))
  const read = await accountById(ctx.db, id)
  if (!read) throw notFound()
  const results = await Promise.allSettled([
    pictureFrom(ctx, id, 'avatar', input.avatar),
    pictureFrom(ctx, id, 'header', input.header),
  ])
  const created = results.map((one) => (one.status === 'fulfilled' ? one.value : undefined))
  try {
    const refused = results.find((one) => one.status === 'rejected')
    if (refused) throw refused.reason
    await storeEdit(ctx, read, input, created)
  } catch (error) {
    // The result of a commit may be unknown. Then the profile may show the pictures, and they are kept.
    await ctx.db
      .tx((tx) => releasePictures(ctx, tx, id, created))
      .catch((trouble) =>
        ctx.log.warn({ error: trouble, account: id }, 'pictures of a failed change were not released'),
      )
    throw error
  }
}
