/** Signing in with another provider (OpenID Connect): the way there, the way back, and what is asked of who comes first. */
import { z } from 'zod'
import { internal, operation } from '../kit/index.js'

const browser = { ip: z.string().nullable(), userAgent: z.string().nullable() }
/** A path of ours to go to in the end. */
const next = z.string().max(8_000)
const step = z.string().max(512)

const signedIn = z.object({ kind: z.literal('signed-in'), session: z.string(), next })
const secondFactor = z.object({
  kind: z.literal('second-factor'),
  /** Proof of the first step. */
  proof: z.string(),
  next,
})

export const identityBegin = operation('accounts.identity.begin', {
  viewer: internal(),
  class: 'write',
  input: z.object({
    provider: z.string().max(100),
    next,
    /** For who is signed in and joins the provider to their login; their password goes with it. */
    join: z.object({ session: z.string().max(512), password: z.string().max(2_000) }).optional(),
  }),
  output: z.object({
    /** Address of the provider. */
    redirect: z.string(),
    /** To be brought back by the same browser; once, within fifteen minutes. */
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
    /** The query the provider sent the browser back with. */
    query: z.string().max(8_000),
    step,
    ...browser,
  }),
  output: z.object({
    outcome: z.discriminatedUnion('kind', [
      signedIn,
      secondFactor,
      /** It opens the login of who asked to join it, from now on. */
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
        /** `link`: somebody here has this address and has to prove it is them. */
        kind: z.enum(['claim', 'link']),
        /** Whole for a new login, a hint for one that is here. */
        email: z.string(),
        /** A name that nobody has; empty when none comes to mind. */
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
        /** Id of the provider, also of one that is not set up any more. */
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
