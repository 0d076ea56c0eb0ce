/** State of a sign-in with a provider, stored between its requests. */
import type { Context } from '../context.js'
import { type UserRow, userByEmail } from '../core/user/store.js'
import type { Claims } from './provider.client.js'

/** Encrypted data of the step between the authorization request and its response. */
export interface AuthorizationStep {
  readonly provider: string
  readonly trip: { readonly state: string; readonly nonce: string; readonly verifier: string }
  readonly next: string
  /** Id of the user who links this provider; null if the provider is used to sign in. */
  readonly userId: string | null
  /** Id of the session that began the link. Null for a sign-in, absent in steps of an earlier release. */
  readonly sessionId?: string | null
}
/** Encrypted data of the step after an unknown identity signed in. */
export interface UnknownIdentityStep {
  readonly provider: string
  readonly providerName: string
  readonly claims: Claims & { readonly email: string }
  readonly next: string
}

/**
 * The local user with the e-mail address of an identity. The identity is linked only after the user's password is given
 * (A084).
 */
export const ownerOfAddress = ({ db }: Pick<Context, 'db'>, { claims }: UnknownIdentityStep): Promise<UserRow | null> =>
  userByEmail(db, claims.email)
