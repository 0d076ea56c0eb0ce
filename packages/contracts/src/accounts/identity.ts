/**
 * Operations for the sign-in with an OpenID Connect provider: redirect, callback, and the sign-up step of unknown
 * identities.
 */
import { z } from 'zod'
import { internal, operation } from '../kit/index.js'

const browser = { ip: z.string().nullable(), userAgent: z.string().nullable() }
/** Path on this server to which the browser is redirected after the sign-in. */
const next = z.string().max(8_000)
const step = z.string().max(512)

const signedIn = z.object({ kind: z.literal('signed-in'), session: z.string(), next })
const secondFactor = z.object({
  kind: z.literal('second-factor'),
  /** Proof that the first step of the sign-in succeeded, to be sent with the second factor. */
  proof: z.string(),
  next,
})

export const beginIdentitySignIn = operation('accounts.identity.begin', {
  viewer: internal(),
  class: 'write',
  input: z.object({
    provider: z.string().max(100),
    next,
    /** Present if a signed-in user links the provider to their login. Requires the password of the user. */
    join: z.object({ session: z.string().max(512), password: z.string().max(2_000) }).optional(),
  }),
  output: z.object({
    /** URL at the provider to which the browser is redirected. */
    redirect: z.string(),
    /** Secret of this sign-in that the same browser must return. It is valid once, for fifteen minutes. */
    step: z.string(),
  }),
  errors: ['not_found', 'unavailable', 'forbidden', 'unauthenticated', 'unprocessable'],
  about: 'Starts a sign-in with a provider: returns the redirect and the secret of this attempt.',
})

export const finishIdentitySignIn = operation('accounts.identity.finish', {
  viewer: internal(),
  class: 'write',
  input: z.object({
    provider: z.string().max(100),
    /** Query string with which the identity provider redirected the browser back. */
    query: z.string().max(8_000),
    step,
    ...browser,
  }),
  output: z.object({
    outcome: z.discriminatedUnion('kind', [
      signedIn,
      secondFactor,
      /** Outcome: the identity was linked to the login of the signed-in user. */
      z.object({ kind: z.literal('joined'), next }),
      /** An unknown identity. With `step`, the user creates a login, or links a login with this e-mail address by its password. */
      z.object({ kind: z.literal('unknown'), step: z.string(), next }),
    ]),
  }),
  errors: ['not_found', 'unavailable', 'forbidden'],
  about: 'Completes a sign-in when the provider redirects the browser back.',
})

export const showIdentity = operation('accounts.identity.show', {
  viewer: internal(),
  input: z.object({ step }),
  output: z.object({
    found: z
      .object({
        provider: z.string(),
        next,
        /** `claim`: the user may create a login. `link`: a login with this e-mail address exists, and the user must enter its password. */
        kind: z.enum(['claim', 'link']),
        /** E-mail address: complete for a new login, abbreviated for an existing one. */
        email: z.string(),
        /** A free username that is proposed to the user; empty if there is none. */
        username: z.string(),
      })
      .nullable(),
  }),
  about: 'Data of the sign-up step of an identity that is not linked to a login yet.',
})

export const claimIdentity = operation('accounts.identity.claim', {
  viewer: internal(),
  class: 'login',
  input: z.object({ step, username: z.string().max(200), ...browser }),
  output: z.object({ session: z.string().nullable(), next }),
  errors: ['forbidden', 'unprocessable', 'unavailable'],
  about:
    'Creates a login without password for a new identity and signs in. `session` is null when the step has expired.',
})

export const linkIdentity = operation('accounts.identity.link', {
  viewer: internal(),
  class: 'login',
  input: z.object({ step, password: z.string().max(2_000), ...browser }),
  output: z.object({
    outcome: z.discriminatedUnion('kind', [
      signedIn,
      secondFactor,
      z.object({ kind: z.literal('refused') }),
      z.object({ kind: z.literal('over') }),
    ]),
  }),
  about: 'Adds an identity of a provider to an existing login, which its password proves.',
})

export const listIdentities = operation('accounts.identity.list', {
  viewer: internal(),
  input: z.object({ session: z.string().max(512) }),
  output: z.object({
    identities: z.array(
      z.object({
        /** Id of the provider, which may no longer be configured. */
        provider: z.string(),
        name: z.string(),
        created_at: z.string(),
      }),
    ),
  }),
  errors: ['unauthenticated'],
  about: 'Providers with which a user can sign in.',
})

export const removeIdentity = operation('accounts.identity.remove', {
  viewer: internal(),
  class: 'login',
  input: z.object({ session: z.string().max(512), provider: z.string().max(100), password: z.string().max(2_000) }),
  output: z.object({}),
  errors: ['unauthenticated', 'unprocessable', 'not_found'],
  about: 'Removes a provider from a login. The last way to sign in cannot be removed.',
})
