/** Operations about passwords: reset and change. */
import { z } from 'zod'
import { internal, operation } from '../kit/index.js'

export const requestPasswordReset = operation('accounts.password.forgot', {
  viewer: internal(),
  class: 'write',
  input: z.object({ email: z.string().max(1_000) }),
  output: z.object({}),
  about: 'Sends a link for a new password if a login with this address exists. The response is the same in every case.',
})

export const resetPassword = operation('accounts.password.reset', {
  viewer: internal(),
  class: 'login',
  input: z.object({ token: z.string().max(512), password: z.string().max(10_000) }),
  output: z.object({ state: z.enum(['changed', 'used']) }),
  errors: ['unprocessable'],
  about: 'Sets a new password with the token of the link, once. Sessions and tokens end; second factors stay.',
})

export const changePassword = operation('accounts.password.change', {
  viewer: internal(),
  class: 'login',
  input: z.object({
    session: z.string().max(512),
    current: z.string().max(2_000),
    password: z.string().max(10_000),
  }),
  output: z.object({ /** New session cookie value; all other sessions ended. */ session: z.string() }),
  errors: ['unauthenticated', 'unprocessable'],
  about: 'Changes the password of the signed-in user. All other sessions and all tokens end.',
})
