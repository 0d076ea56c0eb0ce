/** Handlers of what this server states about itself. */
import {
  donationCampaign,
  extendedDescription as extendedDescriptionOperation,
  instanceActivity,
  instanceShow,
  instanceShowV1,
  languageList,
} from '@murmuration/contracts/admin'
import { notFound, reply } from '@murmuration/contracts/kit'
import { languages } from '@murmuration/text'
import { handle } from '../handlers.js'
import { settingRow, settingsOf } from '../setting/index.js'
import { instanceParts } from './parts.js'
import { instance, instanceV1 } from './show.js'

/** The server, its limits and its rules. */
export const show = handle(instanceShow, async (ctx) => instance(await instanceParts(ctx)))

/** The server and its limits, in the older form. */
export const showV1 = handle(instanceShowV1, async (ctx) => instanceV1(await instanceParts(ctx)))

/** The last twelve weeks in numbers, if staff shows them. */
export const activity = handle(instanceActivity, async (ctx) => {
  if (ctx.config.limitedFederation || !ctx.policy.settings().activity_api_enabled) throw notFound('Not Found')
  return ctx.weeks()
})

/** The long description of the server. */
const NAME = 'site_extended_description'

export const extendedDescription = handle(extendedDescriptionOperation, async (ctx) => {
  const row = await settingRow(ctx.db, NAME)
  const text = row ? settingsOf([row])[NAME] : ''
  if (!row || text === '') return { updated_at: null, content: '' }
  return { updated_at: row.updated_at.toISOString(), content: ctx.markdown.html(text) }
})

/** Languages a status can be in. */
export const list = handle(languageList, async () => languages.map(({ code, name }) => ({ code, name })))

/** No campaign for donations runs here, which clients learn by an answer without a body. */
export const showDonationCampaign = handle(donationCampaign, async () => reply('', { status: 204 }))
