/** Edits the profile of a local account: validates the input, creates pictures and HTML, and stores one change. */
import { notFound } from '@murmuration/contracts/kit'
import { findEmojis, type StagedFile } from '@murmuration/contracts/media'
import { cleanText, shortcodesIn, supportedLanguage } from '@murmuration/text'
import type { Context } from '../context.js'
import { type AccountRow, accountById, type StoredEmoji, type StoredPicture } from '../core/account/store.js'
import { refuseIfAny } from '../core/problem.rules.js'
import { changeProfile } from './change.js'
import { profileHtml } from './html.js'
import { pictureFrom, releasePictures } from './picture.js'
import { domainsToStore, fieldsToStore, oneLine, type ProfileInput, profileProblems } from './rules.js'

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

const MAX_EMOJIS = 100

/** Custom emoji of this server whose shortcodes the texts of the profile contain. */
const emojisOf = async (ctx: Context, texts: readonly string[]): Promise<StoredEmoji[]> => {
  const shortcodes = [...new Set(texts.flatMap(shortcodesIn))].slice(0, MAX_EMOJIS)
  return shortcodes.length === 0 ? [] : (await ctx.call(findEmojis, { shortcodes })).emojis
}

/** Stores an edit of a profile with the pictures that were created for it. */
const storeEdit = async (
  ctx: Context,
  before: AccountRow,
  input: ProfileEdit,
  [avatar, header]: readonly (StoredPicture | undefined)[],
): Promise<void> => {
  const note = input.note === undefined ? undefined : cleanText(input.note).trim()
  const fields = input.fields_attributes && fieldsToStore(input.fields_attributes, before.fields)
  const texts = note !== undefined || fields !== undefined
  const html = texts ? await profileHtml(ctx, note ?? before.note, fields ?? before.fields) : undefined
  const displayName = input.display_name === undefined ? undefined : oneLine(input.display_name)
  const emojis =
    texts || displayName !== undefined
      ? await emojisOf(ctx, [
          displayName ?? before.display_name,
          note ?? before.note,
          ...(fields ?? before.fields).flatMap(({ name, value }) => [name, value]),
        ])
      : undefined
  const language = input.source?.language
  await changeProfile(
    ctx,
    before.id,
    {
      displayName,
      emojis,
      note,
      fields,
      ...html,
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
  )
}

export const editProfile = async (ctx: Context, id: string, input: ProfileEdit): Promise<void> => {
  refuseIfAny(profileProblems(input))
  const before = await accountById(ctx.db, id)
  if (!before) throw notFound()
  const results = await Promise.allSettled([
    pictureFrom(ctx, id, 'avatar', input.avatar),
    pictureFrom(ctx, id, 'header', input.header),
  ])
  const created = results.map((one) => (one.status === 'fulfilled' ? one.value : undefined))
  try {
    const refused = results.find((one) => one.status === 'rejected')
    if (refused) throw refused.reason
    await storeEdit(ctx, before, input, created)
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
