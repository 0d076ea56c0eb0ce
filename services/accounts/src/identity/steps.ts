/** State of a sign-in with a provider, and the login that it may belong to. */
import type { Context } from '../context.js'
import { type UserRow, userByEmail } from '../core/user.store.js'
import type { Claims } from './provider.client.js'

/** Sealed into the step that follows a provider. */
export interface TripStep {
  readonly provider: string
  readonly trip: { readonly state: string; readonly nonce: string; readonly verifier: string }
  readonly next: string
  /** The user who links this provider; null for signing in. */
  readonly userId: string | null
}
/** Sealed into the step of somebody we do not know yet. */
export interface NewcomerStep {
  readonly provider: string
  readonly providerName: string
  readonly claims: Claims & { readonly email: string }
  readonly next: string
}

/** The login here that has the address of somebody who came from a provider: it is theirs only if they prove it (A084). */
export const ownerOfAddress = ({ db }: Pick<Context, 'db'>, { claims }: NewcomerStep): Promise<UserRow | null> =>
  userByEmail(db, claims.email)
