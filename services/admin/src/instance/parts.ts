/** Loads all parts of the instance documents. Needs three small queries; the other parts are usually in memory. */
import type { Account } from '@murmuration/contracts/entities'
import type { Json } from '@murmuration/contracts/kit'
import { campaignYear } from '@murmuration/contracts/statuses'
import type { Context } from '../context.js'
import { ruleOf, rulesInForce } from '../rule/index.js'
import { settingRows, settingsOf } from '../setting/index.js'
import { areTerms } from '../terms-of-service/index.js'
import type { InstanceParts } from './show.js'

/** Card of the contact account; null if it cannot be read. */
const contactCard = async (ctx: Context, id: string | null): Promise<Json<Account> | null> => {
  if (id === null) return null
  try {
    return (await ctx.accountCards.many([id])).get(id) ?? null
  } catch (error) {
    ctx.log.warn({ error }, 'the contact account could not be looked up')
    return null
  }
}

export const instanceParts = async (ctx: Context): Promise<InstanceParts> => {
  const [rows, rules, hasTerms, counts] = await Promise.all([
    settingRows(ctx.db),
    rulesInForce(ctx.db),
    areTerms(ctx.db),
    ctx.counts.now(),
  ])
  const settings = settingsOf(rows)
  const campaign = campaignYear(settings.wrapstodon, ctx.clock.now())
  const message = settings.closed_registrations_message
  return {
    site: ctx.site,
    config: ctx.config,
    settings,
    rules: rules.map(ruleOf),
    counts,
    contact: await contactCard(ctx, settings.site_contact_account),
    closedMessage: message === '' ? null : ctx.markdown.html(message),
    campaign: campaign === null ? null : String(campaign),
    hasTerms,
  }
}
