/** Operations about browser sessions, for pages of the gateway. */
import { z } from 'zod'
import { id, internal, operation } from '../kit/index.js'
import { ResolvedToken } from './token.js'

export const signInUser = operation('accounts.session.sign-in', {
  viewer: internal(),
  class: 'login',
  input: z.object({
    /** E-mail address or username of the user who signs in. */
    email: z.string().max(1_000),
    password: z.string().max(2_000),
    ip: z.string().nullable(),
    userAgent: z.string().nullable(),
  }),
  output: z.object({
    /** Result of the sign-in step. `refused` is the same for an unknown name, a wrong password and a disabled login. */
    state: z.enum(['signed-in', 'second-factor', 'refused']),
    /** Value of the session cookie. The database contains only the digest of the cookie. */
    session: z.string().nullable(),
    /** Proof that the first step of the sign-in succeeded, to be sent with the second factor. */
    proof: z.string().nullable(),
  }),
  errors: ['unavailable', 'forbidden'],
  about: 'Signs a user in with a password, or returns the proof that the second step requires.',
})

/** Proof that the first step of the sign-in succeeded. It becomes invalid after it led to a session, or after five wrong codes. */
const proof = z.string().max(512)

export const sessionFactors = operation('accounts.session.factors', {
  viewer: internal(),
  class: 'login',
  input: z.object({ proof }),
  output: z.object({
    /** Second factors that the user can use. Null if the proof is invalid, so that the user must sign in again. */
    factors: z
      .object({
        /** True when an authenticator app is set up. */
        codes: z.boolean(),
        /** JSON text of `PublicKeyCredentialRequestOptions`, new on each request; null without passkeys. */
        keyOptions: z.string().nullable(),
      })
      .nullable(),
  }),
  about: 'Second factors that the second step of a sign-in accepts.',
})

export const finishSignIn = operation('accounts.session.finish', {
  viewer: internal(),
  class: 'login',
  input: z.object({
    proof,
    /** Code of the authenticator app, or a backup code. */
    code: z.string().max(200).nullable(),
    /** JSON text of the browser's credential of a passkey or security key. */
    credential: z.string().max(32_768).nullable(),
    ip: z.string().nullable(),
    userAgent: z.string().nullable(),
  }),
  output: z.object({
    /** `over`: the proof is invalid, and the user must sign in again. */
    state: z.enum(['signed-in', 'refused', 'over']),
    session: z.string().nullable(),
  }),
  errors: ['unavailable'],
  about: 'Completes a sign-in with a second factor.',
})

/** The user of a browser session, with the data that pages show. */
export const SessionUser = z.object({
  sessionId: z.string(),
  viewer: ResolvedToken.shape.viewer.unwrap(),
  /** `ok`, or the reason why the account may not act. The state of an access token has the same values. */
  state: ResolvedToken.shape.state,
  username: z.string(),
  display_name: z.string(),
  avatar: z.string(),
  /**
   * True if the role of the user requires a second factor and the user has none. Until the user adds one, every other
   * operation is refused.
   */
  needsFactor: z.boolean(),
})
export type SessionUser = z.infer<typeof SessionUser>

export const resolveSession = operation('accounts.session.resolve', {
  viewer: internal(),
  input: z.object({ session: z.string().max(512) }),
  output: z.object({ person: SessionUser.nullable() }),
  about: 'The user of a browser session; null when it is invalid.',
})

export const signOutUser = operation('accounts.session.sign-out', {
  viewer: internal(),
  class: 'write',
  input: z.object({ session: z.string().max(512) }),
  output: z.object({ ended: z.boolean() }),
  about: 'Ends a session.',
})

export const sessionAlive = operation('accounts.session.alive', {
  viewer: internal(),
  input: z.object({ ids: z.array(z.string()).max(100) }),
  output: z.object({ alive: z.array(z.string()) }),
  about: 'Those of the given sessions that are still valid.',
})

export const loginsUsable = operation('accounts.login.usable', {
  viewer: internal(),
  input: z.object({ ids: z.array(z.string()).max(1_000) }),
  output: z.object({
    usable: z.array(z.string()),
    /** Languages of these users, by account id. Absent in responses of earlier releases. */
    locales: z.record(z.string(), z.string()).optional(),
  }),
  about:
    'Account ids, among these, of logins that may use the API: confirmed, approved, and not disabled, suspended or moved. With the languages of their users.',
})

export const BrowserSession = z.object({
  id: z.string(),
  /** True for the browser session that sent the request. */
  current: z.boolean(),
  ip: z.string().nullable(),
  userAgent: z.string(),
  created_at: z.string(),
  used_at: z.string(),
})
export type BrowserSession = z.infer<typeof BrowserSession>

export const listSessions = operation('accounts.session.list', {
  viewer: internal(),
  input: z.object({ session: z.string().max(512) }),
  output: z.object({ sessions: z.array(BrowserSession) }),
  errors: ['unauthenticated'],
  about: 'Browser sessions of a user, most recently used first; at most 100.',
})

export const endSession = operation('accounts.session.end', {
  viewer: internal(),
  class: 'write',
  input: z.object({
    session: z.string().max(512),
    /** Id of a session of the user, or `others` for all except the session of this request. */
    id: z.union([z.literal('others'), id()]),
  }),
  output: z.object({ ended: z.int() }),
  errors: ['unauthenticated'],
  about: 'Ends other browser sessions of a user.',
})

/** `method` is the last step that was tried: a correct password with a wrong code is a failed `code`. */
export const SignInAttempt = z.object({
  id: z.string(),
  method: z.enum(['password', 'code', 'backup-code', 'key', 'provider']),
  succeeded: z.boolean(),
  ip: z.string().nullable(),
  userAgent: z.string(),
  created_at: z.string(),
})
export type SignInAttempt = z.infer<typeof SignInAttempt>

export const listSignIns = operation('accounts.sign-in.list', {
  viewer: internal(),
  input: z.object({
    session: z.string().max(512),
    before: z
      .string()
      .regex(/^\d{1,19}$/)
      .nullable(),
  }),
  output: z.object({ attempts: z.array(SignInAttempt) }),
  errors: ['unauthenticated'],
  about: 'Sign-in attempts of the last three months, newest first, in pages of 40.',
})
