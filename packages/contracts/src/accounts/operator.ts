/** What operators do to people from the command line. */
import { z } from 'zod'
import { internal, operation } from '../kit/index.js'

export const accountCreateByOperator = operation('accounts.account.create-by-operator', {
  viewer: internal(),
  class: 'write',
  input: z.object({
    username: z.string().max(200),
    email: z.string().max(1_000),
    /** Made at random when absent. */
    password: z.string().max(1_000).optional(),
    /** Name of a role, in any case. */
    role: z.string().max(200).optional(),
    confirmed: z.boolean().default(false),
  }),
  output: z.object({ id: z.string(), username: z.string(), email: z.string(), password: z.string() }),
  errors: ['unprocessable'],
  about: 'Makes a local account; the answer is the only place where the password stands.',
})

export const firstAdmin = operation('accounts.account.first-admin', {
  viewer: internal(),
  class: 'write',
  input: z.object({}),
  output: z.object({
    created: z.boolean(),
    username: z.string().optional(),
    email: z.string().optional(),
    password: z.string().optional(),
  }),
  about: 'Makes the first owner, unless there is one.',
})

export const tokenCreateByOperator = operation('accounts.token.create-by-operator', {
  viewer: internal(),
  class: 'write',
  input: z.object({
    username: z.string().max(200),
    /** Names apart by spaces. */
    scopes: z.string().max(2_000).default('read write follow push'),
  }),
  output: z.object({ token: z.string(), scopes: z.array(z.string()) }),
  errors: ['not_found', 'unprocessable'],
  about: 'Gives a fresh token of a local person.',
})
