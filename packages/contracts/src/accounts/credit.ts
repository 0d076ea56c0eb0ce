/** Operation that checks whether a web site may name an account as author of its pages. */
import { z } from 'zod'
import { internal, operation } from '../kit/index.js'

export const creditAllowed = operation('accounts.account.credit', {
  viewer: internal(),
  input: z.object({
    id: z.string(),
    /** Host name of the web page. */
    host: z.string().max(255),
  }),
  output: z.object({ allowed: z.boolean() }),
  about: 'Whether pages of a host may name an account as their author.',
})
