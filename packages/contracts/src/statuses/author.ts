/** Accounts that rows of statuses refer to. */
import { z } from 'zod'
import { internal, operation } from '../kit/index.js'

export const involvedAccounts = operation('statuses.known-author.involved', {
  viewer: internal(),
  class: 'search',
  repeatable: true,
  input: z.object({ ids: z.array(z.string()).max(1_000) }),
  output: z.object({ ids: z.array(z.string()) }),
  about: 'Those of these accounts that wrote, favourited or voted here, or that a status mentions.',
})
