/** A received activity with the account of its actor, and functions that several handlers share. */

import type { Activity, ActivityOf, ActivityType } from '@murmuration/activitypub/vocabulary/activity'
import type { JsonObject } from '@murmuration/activitypub/vocabulary/json'
import type { Uri } from '@murmuration/activitypub/vocabulary/uri'
import { type AccountRecord, accountRecords, audience, resolveAccount } from '@murmuration/contracts/accounts'
import { ErrorText, Failure } from '@murmuration/contracts/kit'
import type { StatusRecord } from '@murmuration/contracts/statuses'
import type { Context } from '../../context.js'
import { isOurs } from '../../core/activity/authority.rules.js'
import { INSTANCE_ACCOUNT } from '../../core/address/self.js'
import type { Outcome } from './outcome.js'

export interface Received<T extends ActivityType> {
  readonly activity: ActivityOf<T>
  /** Account of the actor of the activity. */
  readonly actor: AccountRecord
  /** Account id of the owner of the receiving inbox, if the activity has no addressing; else null. */
  readonly ownerId: string | null
  /** Received document, for forwarding. */
  readonly passed: ReceivedText
  readonly delivery: Delivery
}

/** Delivery of an activity to an inbox. */
export interface Delivery {
  /** Id of the activity's row in the table `inbox_activities`. */
  readonly id: string
  /** Time of the delivery that stored or last replaced the row. */
  readonly receivedAt: Date
  /** Time of the actor's signature; null if another server forwarded the activity. */
  readonly signedAt: Date | null
}

/** An activity with its received JSON text. */
export interface ReceivedText {
  readonly activity: Activity
  readonly document: JsonObject
  readonly text: string
}

export type Handler<T extends ActivityType> = (ctx: Context, received: Received<T>) => Promise<Outcome>

export const accountOf = async (ctx: Context, uri: string): Promise<AccountRecord | null> => {
  const { records } = await ctx.call(accountRecords, { uris: [uri] })
  return records[0] ?? null
}

/** The local account with this actor id; null for remote accounts and for the instance actor. */
export const localAccount = async (ctx: Context, uri: Uri): Promise<AccountRecord | null> => {
  if (!isOurs(uri, ctx.self.ownHosts)) return null
  const account = await accountOf(ctx, uri)
  return account !== null && account.domain === null && account.id !== INSTANCE_ACCOUNT ? account : null
}

/** The account with this actor id, fetched if it is not stored. `later`: its server does not respond now. */
export const lookUpAccount = async (
  ctx: Context,
  uri: string,
): Promise<{ record: AccountRecord | null; later?: boolean | undefined }> => {
  const record = await ctx.accountCache.account(uri)
  return record === null ? ctx.call(resolveAccount, { uri, behind: true }) : { record }
}

/**
 * The account of a sender, fetched if it is not stored; null if it does not exist. Throws if the server of the sender
 * does not respond.
 */
export const senderAccount = async (ctx: Context, uri: string): Promise<AccountRecord | null> => {
  const { record, later } = await lookUpAccount(ctx, uri)
  if (later) throw retryLater('the sender cannot be fetched yet')
  return record
}

/** 100 years in days, so that inactive followers count, too. */
const EVER_DAYS = 36_500

/** Id of a local follower of this account; null if it has none. */
export const followerHere = async (ctx: Context, accountId: string): Promise<string | null> =>
  (await ctx.call(audience, { author: accountId, limit: 1, activeDays: EVER_DAYS })).followers[0]?.id ?? null

export const statusOf = (ctx: Pick<Context, 'accountCache'>, uri: string): Promise<StatusRecord | null> =>
  ctx.accountCache.status(uri)

/** The stored status with this address, which may be its URI, its page, or an earlier URI. */
export const statusAt = (ctx: Pick<Context, 'accountCache'>, address: string): Promise<StatusRecord | null> =>
  ctx.accountCache.statusAt(address)

/**
 * True if the rate limit `may`, named `what`, permits a delivery. A retry of the job does not count the delivery again.
 */
export const countOnce = async (
  ctx: Pick<Context, 'fetcher'>,
  { id, receivedAt }: Delivery,
  what: string,
  may: () => Promise<boolean>,
): Promise<boolean> => !(await ctx.fetcher.limits.isFirstAttempt(`${what} ${id} ${receivedAt.toISOString()}`)) || may()

/** A retryable failure: the job runs again later. The failure's text is only logged. */
export const retryLater = (what: string) => new Failure('unavailable', new ErrorText(what), { retryAfter: 2 })
