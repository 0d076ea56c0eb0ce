/** Signed-in browsers, for the pages that the edge serves. */
import { z } from 'zod'
import { internal, operation } from '../kit/index.js'
import { ResolvedToken } from './internal.js'

export const sessionSignIn = operation('accounts.session.sign-in', {
  viewer: internal(),
  class: 'login',
  input: z.object({
    /** E-mail address or user name. */
    email: z.string().max(1_000),
    password: z.string().max(2_000),
    ip: z.string().nullable(),
    userAgent: z.string().nullable(),
  }),
  output: z.object({
    /** `refused` says no more: wrong name, wrong password and disabled login look the same. */
    state: z.enum(['signed-in', 'second-factor', 'refused']),
    /** The value of the session cookie; only its digest is kept. */
    session: z.string().nullable(),
    /** Proof of the first step, to be sent with the second factor. */
    proof: z.string().nullable(),
  }),
  errors: ['unavailable'],
  about: 'Signs a person in with a password.',
})

/** Who is behind a browser session, and what pages show of them. */
export const SessionPerson = z.object({
  sessionId: z.string(),
  viewer: ResolvedToken.shape.viewer.unwrap(),
  /** Why the person may not act yet, or any more. */
  state: ResolvedToken.shape.state,
  username: z.string(),
  display_name: z.string(),
  avatar: z.string(),
})
export type SessionPerson = z.infer<typeof SessionPerson>

export const sessionResolve = operation('accounts.session.resolve', {
  viewer: internal(),
  input: z.object({ session: z.string().max(512) }),
  output: z.object({ person: SessionPerson.nullable() }),
  about: 'Who is signed in with this session.',
})

export const sessionSignOut = operation('accounts.session.sign-out', {
  viewer: internal(),
  class: 'write',
  input: z.object({ session: z.string().max(512) }),
  output: z.object({ ended: z.boolean() }),
  about: 'Ends a session.',
})
