/** The authorization step of OAuth 2.0: what the consent page shows, and where the browser goes after it. */
import { z } from 'zod'
import { internal, operation } from '../kit/index.js'

/** The query of `/oauth/authorize` as it came; everything is checked again at each step. */
export const AuthorizationRequest = z.object({
  client_id: z.string().max(512).optional(),
  redirect_uri: z.string().max(2_000).optional(),
  response_type: z.string().max(100).optional(),
  response_mode: z.string().max(100).optional(),
  scope: z.string().max(2_000).optional(),
  state: z.string().max(4_000).optional(),
  code_challenge: z.string().max(512).optional(),
  code_challenge_method: z.string().max(100).optional(),
  force_login: z.boolean().optional(),
  /** `none` shows nothing and answers by redirect; any other value asks for consent again (OpenID Connect Core 3.1.2.1). */
  prompt: z.string().max(100).optional(),
})
export type AuthorizationRequest = z.infer<typeof AuthorizationRequest>

/** Where the browser goes: to an address, or by posting a form to it (`form_post`). */
export const Departure = z.object({
  kind: z.literal('leave'),
  redirect: z.string(),
  /** Fields of the form to post to `redirect`; null means a plain redirect. */
  form: z.record(z.string(), z.string()).nullable(),
})
export type Departure = z.infer<typeof Departure>

/** An error for a page: nothing may be sent to an address that was not proved. */
export const AuthorizationRefusal = z.object({
  kind: z.literal('refused'),
  status: z.int(),
  error: z.string(),
  error_description: z.string(),
})

const app = z.object({
  name: z.string(),
  website: z.string().nullable(),
  scopes: z.array(z.string()),
  /** Host of the redirect, or its scheme for native apps; for the person to see. */
  destination: z.string(),
})

export const authorizationPrepare = operation('accounts.authorization.prepare', {
  viewer: internal(),
  input: z.object({ session: z.string().max(512).nullable(), request: AuthorizationRequest }),
  output: z.object({
    outcome: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('sign-in'), app }),
      /** The person may not authorize anything now; show their account page. */
      z.object({ kind: z.literal('hindered'), state: z.string() }),
      z.object({ kind: z.literal('consent'), app }),
      Departure,
      AuthorizationRefusal,
    ]),
  }),
  about: 'Checks an authorization request: who must sign in, what to consent to, or where to go at once.',
})

const decided = z.object({ outcome: z.discriminatedUnion('kind', [Departure, AuthorizationRefusal]) })

export const authorizationApprove = operation('accounts.authorization.approve', {
  viewer: internal(),
  class: 'write',
  input: z.object({ session: z.string().max(512), request: AuthorizationRequest }),
  output: decided,
  errors: ['unauthenticated', 'forbidden'],
  about: 'The person said yes: makes a code and says where to take it.',
})

export const authorizationDeny = operation('accounts.authorization.deny', {
  viewer: internal(),
  class: 'write',
  input: z.object({ session: z.string().max(512), request: AuthorizationRequest }),
  output: decided,
  errors: ['unauthenticated'],
  about: 'The person said no: says where to take that.',
})
