/** Operations on e-mails: preview, preferences and unsubscription. */
import {
  changeMailChoice,
  previewStrikeMail,
  showMailChoice,
  unsubscribeFromMail,
} from '@murmuration/contracts/notifications'
import { readSignedId } from '@murmuration/kernel'
import { handle } from '../handlers.js'
import { mailChoiceOf, putMailChoice } from './choice.store.js'
import { composeStrikeMail } from './compose.js'

/** Previews the e-mail about a strike. */
export const showStrike = handle(previewStrikeMail, async (ctx, _viewer, { account, action, text }) => {
  const link = `${ctx.site.origin}/appeal?token=…`
  const composed = await composeStrikeMail(ctx, account, { action, text, link })
  return { mail: composed && { ...composed.mail, language: composed.language } }
})

/** Returns the e-mail preferences of an account. */
export const show = handle(showMailChoice, (ctx, _viewer, { account }) => mailChoiceOf(ctx.db, account))

/** Changes the e-mail preferences of an account. */
export const change = handle(changeMailChoice, async (ctx, _viewer, { account, ...choice }) => {
  await putMailChoice(ctx.db, account, { ...choice, types: [...new Set(choice.types)] })
  return mailChoiceOf(ctx.db, account)
})

/** Turns off e-mails about notifications for the account whose link is used. Each such e-mail contains this link. */
export const unsubscribeMail = handle(unsubscribeFromMail, async (ctx, _viewer, { token }) => {
  const account = readSignedId(ctx.secrets.mail, token, ctx.clock.now())
  if (account === null) return { done: false }
  await putMailChoice(ctx.db, account, { ...(await mailChoiceOf(ctx.db, account)), types: [] })
  return { done: true }
})
