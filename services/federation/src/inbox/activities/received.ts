/** An activity on its way through the worker, with its actor as an account; and the questions that several types ask. */

import type { Activity, ActivityOf, ActivityType } from '@murmuration/activitypub/vocabulary/activity'
import type { Loose } from '@murmuration/activitypub/vocabulary/loose'
import type { Uri } from '@murmuration/activitypub/vocabulary/uri'
import { type AccountRecord, accountRecords, accountResolve, audience } from '@murmuration/contracts/accounts'
import { fail } from '@murmuration/contracts/kit'
import type { StatusRecord } from '@murmuration/contracts/statuses'
import type { Context } from '../../context.js'
import { isOurs } from '../../core/authority.rules.js'
import { INSTANCE_ACCOUNT } from '../../core/self.js'
import type { Outcome } from './outcome.js'

export interface Received<T extends ActivityType> {
  readonly activity: ActivityOf<T>
  /** The account of the one who sent it. */
  readonly actor: AccountRecord
  /** Account id of the inbox owner, when the activity itself addresses nobody. */
  readonly ownerId: string | null
  /** What came, for passing it on. */
  readonly passed: Passed
  readonly letter: Letter
}

/** How an activity came. */
export interface Letter {
  /** In the inbox. */
  readonly id: string
  /** When it came; anew each time that its actor says it again. */
  readonly keptAt: Date
  /** When its actor signed it; null when somebody passed it on. */
  readonly signedAt: Date | null
}

/** An activity with the very text in which it came. */
export interface Passed {
  readonly activity: Activity
  readonly document: Loose
  readonly text: string
}

export type Handler<T extends ActivityType> = (ctx: Context, received: Received<T>) => Promise<Outcome>

export const accountOf = async (ctx: Context, uri: string): Promise<AccountRecord | null> => {
  const { records } = await ctx.call(accountRecords, { uris: [uri] })
  return records[0] ?? null
}

/** A person of ours by actor id; null for everybody else, and for the actor that stands for the server. */
export const localAccount = async (ctx: Context, uri: Uri): Promise<AccountRecord | null> => {
  if (!isOurs(uri, ctx.self.ownHosts)) return null
  const account = await accountOf(ctx, uri)
  return account !== null && account.domain === null && account.id !== INSTANCE_ACCOUNT ? account : null
}

/** Who has this actor id, asked for outside when not known here; `later` when their server does not answer now. */
export const reachAccount = async (
  ctx: Context,
  uri: string,
): Promise<{ record: AccountRecord | null; later?: boolean | undefined }> => {
  const record = await ctx.acquaintances.account(uri)
  return record === null ? ctx.call(accountResolve, { uri, behind: true }) : { record }
}

/** The account of who sends something; null when there is none. Throws while that cannot be known. */
export const senderAccount = async (ctx: Context, uri: string): Promise<AccountRecord | null> => {
  const { record, later } = await reachAccount(ctx, uri)
  if (later) throw tryLater('who sent it cannot be read yet')
  return record
}

/** More than anybody can have been away. */
const EVER_DAYS = 36_500

/** Account id of somebody here who follows this account; null when nobody does. */
export const followerHere = async (ctx: Context, accountId: string): Promise<string | null> =>
  (await ctx.call(audience, { author: accountId, limit: 1, activeDays: EVER_DAYS })).followers[0]?.id ?? null

export const statusOf = (ctx: Pick<Context, 'acquaintances'>, uri: string): Promise<StatusRecord | null> =>
  ctx.acquaintances.status(uri)

/** The status that an address means, which may be its page. */
export const statusAt = (ctx: Pick<Context, 'acquaintances'>, address: string): Promise<StatusRecord | null> =>
  ctx.acquaintances.statusAt(address)

/** Whether a letter is within what it is counted for: it is counted once, however often it is tried. */
export const countOnce = async (
  ctx: Pick<Context, 'reader'>,
  { id, keptAt }: Letter,
  what: string,
  may: () => Promise<boolean>,
): Promise<boolean> => !(await ctx.reader.budgets.isFirstTry(`${what} ${id} ${keptAt.toISOString()}`)) || may()

/** For what cannot be decided yet: the job comes back. */
export const tryLater = (what: string) => fail('unavailable', what, { retryAfter: 2 })
