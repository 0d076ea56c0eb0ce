/** Operation with which a user deletes their own account, and the event about every deleted account. */
import { z } from 'zod'
import { event, internal, operation } from '../kit/index.js'

export const beginAccountRemoval = operation('accounts.removal.begin', {
  viewer: internal(),
  class: 'login',
  input: z.object({ session: z.string().max(512), password: z.string().max(2_000) }),
  output: z.object({}),
  errors: ['unauthenticated', 'unprocessable'],
  about: 'Deletes the account of the signed-in user with its content and relationships. The username stays reserved.',
})

export const accountRemoved = event('accounts.account.removed', {
  data: z.object({
    id: z.string(),
    local: z.boolean(),
    uri: z.string(),
    /** Domain of a remote account; null for local ones. Older releases leave the domain out. */
    domain: z.string().nullable().optional(),
  }),
  about: 'An account was deleted. Its statuses are deleted too.',
})
