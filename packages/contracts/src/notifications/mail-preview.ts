/** Operation that previews e-mails for staff that moderates an account. */
import { z } from 'zod'
import { WarningAction } from '../entities/index.js'
import { internal, operation } from '../kit/index.js'

export const MailPreview = z.object({
  to: z.string(),
  /** Language of the recipient, in which the e-mail is written. */
  language: z.string(),
  subject: z.string(),
  text: z.string(),
  html: z.string(),
})
export type MailPreview = z.infer<typeof MailPreview>

export const previewStrikeMail = operation('notifications.mail-preview.show-strike', {
  viewer: internal(),
  input: z.object({ account: z.string(), action: WarningAction, text: z.string() }),
  /** Preview of the e-mail; null if the account has no e-mail address. */
  output: z.object({ mail: MailPreview.nullable() }),
  about: 'The e-mail about a strike as the account holder would receive it, except that its link is invalid.',
})
