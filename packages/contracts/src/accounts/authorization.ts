/** Operations about the authorization step of OAuth 2.0: data of the consent page, and the redirect of the browser. */
import { z } from 'zod'
import { internal, operation } from '../kit/index.js'

/** Query of `/oauth/authorize` as received. Each step of the authorization validates the query again. */
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
  /**
   * OpenID Connect parameter `prompt`. `none` shows no page and responds with a redirect. Any other value requires new
   * consent (OpenID Connect Core 3.1.2.1).
   */
  prompt: z.string().max(100).optional(),
})
export type AuthorizationRequest = z.infer<typeof AuthorizationRequest>

/** Redirect of the browser: to an address, or by a form that the browser posts (`form_post`). */
export const AuthorizationRedirect = z.object({
  kind: z.literal('leave'),
  redirect: z.string(),
  /** Fields of the form to post to `redirect`; null for a plain redirect. */
  form: z.record(z.string(), z.string()).nullable(),
})
export type AuthorizationRedirect = z.infer<typeof AuthorizationRedirect>

/** An OAuth error that is shown on a page of this server, because the redirect address is not verified. */
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
  /** Host of the redirect address, or its scheme for native apps. The consent page shows it to the user. */
  destination: z.string(),
})

export const prepareAuthorization = operation('accounts.authorization.prepare', {
  viewer: internal(),
  input: z.object({ session: z.string().max(512).nullable(), request: AuthorizationRequest }),
  output: z.object({
    outcome: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('sign-in'), app }),
      /** The account may not authorize applications now, for example while suspended. The browser is sent to the account page. */
      z.object({ kind: z.literal('hindered'), state: z.string() }),
      z.object({ kind: z.literal('consent'), app }),
      AuthorizationRedirect,
      AuthorizationRefusal,
    ]),
  }),
  about: 'Checks an authorization request and returns the next step: sign-in, consent, redirect or error page.',
})

const decided = z.object({ outcome: z.discriminatedUnion('kind', [AuthorizationRedirect, AuthorizationRefusal]) })

export const approveAuthorization = operation('accounts.authorization.approve', {
  viewer: internal(),
  class: 'write',
  input: z.object({ session: z.string().max(512), request: AuthorizationRequest }),
  output: decided,
  errors: ['unauthenticated', 'forbidden'],
  about: 'Creates an authorization code after the user consented, and returns the redirect.',
})

export const denyAuthorization = operation('accounts.authorization.deny', {
  viewer: internal(),
  class: 'write',
  input: z.object({ session: z.string().max(512), request: AuthorizationRequest }),
  output: decided,
  errors: ['unauthenticated'],
  about: 'Returns the redirect for a user who denied access.',
})
