/** Operations about accounts that rows of statuses refer to. */
import { z } from 'zod'
import { internal, operation } from '../kit/index.js'

export const findReferencedAccounts = operation('statuses.known-author.involved', {
  viewer: internal(),
  class: 'search',
  repeatable: true,
  input: z.object({ ids: z.array(z.string()).max(1_000) }),
  output: z.object({ ids: z.array(z.string()) }),
  about: 'Those of the given accounts that wrote, favourited or voted, or are mentioned in a status.',
})

export const knownAuthors = operation('statuses.known-author.list', {
  viewer: internal(),
  class: 'read',
  repeatable: true,
  input: z.object({ ids: z.array(z.string()).max(1_000) }),
  output: z.object({
    /** `domain` is null for local accounts, and for accounts that had no author row when they were deleted. */
    authors: z.array(z.object({ id: z.string(), local: z.boolean(), domain: z.string().nullable() })),
  }),
  about: 'Those of the given accounts that wrote a known status or were deleted, with their domains.',
})
