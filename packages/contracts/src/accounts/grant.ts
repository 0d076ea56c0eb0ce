/** Operations about authorized applications of a user, for the pages in the browser. */
import { z } from 'zod'
import { id, internal, operation } from '../kit/index.js'

const session = z.string().max(512)

export const Grant = z.object({
  /** Id of the OAuth application. */
  id: z.string(),
  name: z.string(),
  website: z.string().nullable(),
  /** Scopes of all tokens of the application together. */
  scopes: z.array(z.string()),
  created_at: z.string(),
  used_at: z.string().nullable(),
})
export type Grant = z.infer<typeof Grant>

export const listGrants = operation('accounts.grant.list', {
  viewer: internal(),
  input: z.object({ session }),
  output: z.object({ grants: z.array(Grant) }),
  errors: ['unauthenticated'],
  about: 'Applications with a valid token of a user, newest first; at most 200.',
})

export const revokeGrant = operation('accounts.grant.revoke', {
  viewer: internal(),
  class: 'write',
  input: z.object({ session, id: id() }),
  output: z.object({}),
  errors: ['unauthenticated', 'not_found'],
  about:
    'Revokes all tokens that an application has of a user. Their streams are closed and their push subscriptions deleted.',
})
