/** Operations of instance metadata. */
import {
  donationCampaign,
  extendedDescription as extendedDescriptionOperation,
  instanceActivity,
  listLanguages,
  showInstance,
  showInstanceV1,
} from '@murmuration/contracts/admin'
import { reply } from '@murmuration/contracts/kit'
import { languages } from '@murmuration/text'
import { handle } from '../handlers.js'
import { settingRow, settingsOf } from '../setting/index.js'
import { instanceParts } from './parts.js'
import { requirePublished } from './published.js'
import { instance, instanceV1 } from './show.js'

/** Returns the instance document. */
export const show = handle(showInstance, async (ctx) => instance(await instanceParts(ctx)))

/** Returns the instance document of API v1. */
export const showV1 = handle(showInstanceV1, async (ctx) => instanceV1(await instanceParts(ctx)))

/** Returns the activity of the last twelve weeks, if staff publishes it. */
export const activity = handle(instanceActivity, async (ctx) => {
  requirePublished(ctx, 'activity_api_enabled')
  return ctx.weeks()
})

const NAME = 'site_extended_description'

/** Returns the extended description of the server. */
export const extendedDescription = handle(extendedDescriptionOperation, async (ctx) => {
  const row = await settingRow(ctx.db, NAME)
  const text = row ? settingsOf([row])[NAME] : ''
  if (!row || text === '') return { updated_at: null, content: '' }
  return { updated_at: row.updated_at.toISOString(), content: ctx.markdown.html(text) }
})

/** Lists the languages of statuses. */
export const list = handle(listLanguages, async () => languages.map(({ code, name }) => ({ code, name })))

/** Responds 204 without a body, because this server has no donation campaign. */
export const showDonationCampaign = handle(donationCampaign, async () => reply('', { status: 204 }))
