/** Everything the instance documents are made of, loaded at once: three small queries, the rest from memory as a rule. */
import type { Account } from '@murmuration/contracts/entities'
import type { Json } from '@murmuration/contracts/kit'
import { campaignYear } from '@murmuration/contracts/statuses'
import type { Context } from '../context.js'
import { settingsOf } from '../domain/setting.js'
import { rulesInForce } from '../store/rule.js'
import { settingRows } from '../store/setting.js'
import { areTerms } from '../store/terms-of-service.js'
import type { InstanceParts } from './instance.js'
import { ruleOf } from './rule.js'

/** The card of the contact person; without it the document is still of use. */
const contactCard = async (ctx: Context, id: string | null): Promise<Json<Account> | null> => {
  if (id === null) return null
  try {
    return (await ctx.accountCards.many([id])).get(id) ?? null
  } catch (error) {
    ctx.log.warn({ error }, 'the contact account is not to be had')
    return null
  }
}

export const instanceParts = async (ctx: Context): Promise<InstanceParts> => {
  const [rows, rules, hasTerms, figures] = await Promise.all([
    settingRows(ctx.db),
    rulesInForce(ctx.db),
    areTerms(ctx.db),
    ctx.figures.now(),
  ])
  const settings = settingsOf(rows)
  const campaign = campaignYear(settings.wrapstodon, ctx.clock.now())
  const message = settings.closed_registrations_message
  return {
    site: ctx.site,
    config: ctx.config,
    settings,
    rules: rules.map(ruleOf),
    figures,
    contact: await contactCard(ctx, settings.site_contact_account),
    closedMessage: message === '' ? null : ctx.markdown.html(message),
    campaign: campaign === null ? null : String(campaign),
    hasTerms,
  }
}
