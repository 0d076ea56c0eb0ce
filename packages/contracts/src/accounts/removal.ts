/** Operation with which a user deletes their own account. */
import { z } from 'zod'
import { internal, operation } from '../kit/index.js'

export const beginAccountRemoval = operation('accounts.removal.begin', {
  viewer: internal(),
  class: 'login',
  input: z.object({ session: z.string().max(512), password: z.string().max(2_000) }),
  output: z.object({}),
  errors: ['unauthenticated', 'unprocessable'],
  about: 'Deletes the account of the signed-in user with its content and relationships. The username stays reserved.',
})
