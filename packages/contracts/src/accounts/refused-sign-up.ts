/** Operation that counts sign-ups that an e-mail domain block refused or held for approval. */
import { z } from 'zod'
import { UsageDay } from '../entities/index.js'
import { internal, operation } from '../kit/index.js'

export const refusedSignUpHistory = operation('accounts.refused-sign-up.history', {
  viewer: internal(),
  input: z.object({ domains: z.array(z.string()).max(200) }),
  output: z.object({
    /** Refused sign-ups of each domain, in the order of `domains`: seven days each, newest first. */
    histories: z.array(z.array(UsageDay)),
  }),
  about:
    'Sign-ups that each blocked e-mail domain affected, per day of the last seven days; `accounts` counts networks.',
})
