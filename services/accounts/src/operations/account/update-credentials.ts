/** Changes the profile and the defaults of the viewer. */
import { credentialsUpdate } from '@murmuration/contracts/accounts'
import { notFound } from '@murmuration/contracts/kit'
import { cleanText, supportedLanguage } from '@murmuration/text'
import { changeProfile } from '../../changes/profile.js'
import { refuseIfAny } from '../../domain/problem.js'
import { domainsToStore, fieldsToStore, oneLine, profileProblems } from '../../domain/profile.js'
import { handle } from '../../doors.js'
import { dropReplaced, pictureFrom } from '../../outside/picture.js'
import { accountById } from '../../store/account.js'
import { credentialAccount } from '../../views/credential-account.js'
import { profileHtml } from '../../views/profile-html.js'

export const updateCredentials = handle(credentialsUpdate, async (ctx, viewer, input) => {
  refuseIfAny(profileProblems(input))
  const before = await accountById(ctx.db, viewer.id)
  if (!before) throw notFound()
  const [avatar, header] = await Promise.all([
    pictureFrom(ctx, viewer.id, 'avatar', input.avatar),
    pictureFrom(ctx, viewer.id, 'header', input.header),
  ])

  const note = input.note === undefined ? undefined : cleanText(input.note).trim()
  const fields = input.fields_attributes && fieldsToStore(input.fields_attributes, before.fields)
  const texts = note !== undefined || fields !== undefined
  const html = texts ? await profileHtml(ctx, note ?? before.note, fields ?? before.fields) : undefined
  const language = input.source?.language
  await changeProfile(
    ctx,
    viewer.id,
    {
      displayName: input.display_name === undefined ? undefined : oneLine(input.display_name),
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
  dropReplaced(ctx, viewer.id, [avatar ? before.avatar : null, header ? before.header : null])
  return credentialAccount(ctx, viewer.id)
})
