/** Handlers that show e-mails before they are sent. */
import { previewStrikeMail } from '@murmuration/contracts/notifications'
import { handle } from '../doors.js'
import { composeStrikeMail } from '../views/compose.js'

export const showStrike = handle(previewStrikeMail, async (ctx, _viewer, { account, action, text }) => {
  const link = `${ctx.site.origin}/appeal?token=…`
  const composed = await composeStrikeMail(ctx, account, { action, text, link })
  return { mail: composed && { ...composed.mail, language: composed.language } }
})
