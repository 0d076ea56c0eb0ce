/** Sign-in with an OpenID Connect provider: redirect, callback, and the sign-up step of unknown identities. */
import { z } from 'zod'
import { internal, operation } from '../kit/index.js'

const browser = { ip: z.string().nullable(), userAgent: z.string().nullable() }
/** Path on this server for the final redirect. */
const next = z.string().max(8_000)
const step = z.string().max(512)

const signedIn = z.object({ kind: z.literal('signed-in'), session: z.string(), next })
const secondFactor = z.object({
  kind: z.literal('second-factor'),
  /** Proof of the first step, to be sent with the second factor. */
  proof: z.string(),
  next,
})

export const identityBegin = operation('accounts.identity.begin', {
  viewer: internal(),
  class: 'write',
  input: z.object({
    provider: z.string().max(100),
    next,
    /** Set when a signed-in user adds the provider to their login; needs their password. */
    join: z.object({ session: z.string().max(512), password: z.string().max(2_000) }).optional(),
  }),
  output: z.object({
    /** Address at the provider. */
    redirect: z.string(),
    /** Secret that the same browser must return. Valid once, for fifteen minutes. */
    step: z.string(),
  }),
  errors: ['not_found', 'unavailable', 'forbidden', 'unauthenticated', 'unprocessable'],
  about: 'Where a browser goes to sign in with a provider.',
})

export const identityFinish = operation('accounts.identity.finish', {
  viewer: internal(),
  class: 'write',
  input: z.object({
    provider: z.string().max(100),
    /** Query string of the callback from the provider. */
    query: z.string().max(8_000),
    step,
    ...browser,
  }),
  output: z.object({
    outcome: z.discriminatedUnion('kind', [
      signedIn,
      secondFactor,
      /** The identity was added to the login of the signed-in user. */
      z.object({ kind: z.literal('joined'), next }),
      /** An unknown identity: `step` leads to a new login, or to an existing login whose owner must prove it. */
      z.object({ kind: z.literal('unknown'), step: z.string(), next }),
    ]),
  }),
  errors: ['not_found', 'unavailable', 'forbidden'],
  about: 'A browser is back from a provider.',
})

export const identityShow = operation('accounts.identity.show', {
  viewer: internal(),
  input: z.object({ step }),
  output: z.object({
    found: z
      .object({
        provider: z.string(),
        next,
        /** `claim`: a new login. `link`: a login with this address exists, and its owner must prove ownership. */
        kind: z.enum(['claim', 'link']),
        /** Complete for a new login, abbreviated for an existing one. */
        email: z.string(),
        /** Suggested free username; empty without a suggestion. */
        username: z.string(),
      })
      .nullable(),
  }),
  about: 'What is asked of somebody who came from a provider for the first time.',
})

export const identityClaim = operation('accounts.identity.claim', {
  viewer: internal(),
  class: 'login',
  input: z.object({ step, username: z.string().max(200), ...browser }),
  output: z.object({ session: z.string().nullable(), next }),
  errors: ['forbidden', 'unprocessable'],
  about: 'Makes a login without password for somebody from a provider, and signs them in; null when it took too long.',
})

export const identityLink = operation('accounts.identity.link', {
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
  about: 'Joins a login of a provider to one that is here, for its password.',
})

export const identityList = operation('accounts.identity.list', {
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
  about: 'Providers that sign a person in.',
})

export const identityRemove = operation('accounts.identity.remove', {
  viewer: internal(),
  class: 'login',
  input: z.object({ session: z.string().max(512), provider: z.string().max(100), password: z.string().max(2_000) }),
  output: z.object({}),
  errors: ['unauthenticated', 'unprocessable', 'not_found'],
  about: 'A provider signs a person in no more; the last way in stays.',
})
