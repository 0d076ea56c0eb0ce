/**
 * Looks up accounts and statuses for the inbox worker. Concurrent calls share one batch request.
 *
 * Accounts, and whether they have local followers, are cached for some seconds. Statuses are not cached.
 */

import { type AccountRecord, accountInvalidation, accountRecords, audience } from '@murmuration/contracts/accounts'
import { type StatusRecord, statusRecords } from '@murmuration/contracts/statuses'
import { createBatcher, createMemoryCache } from '@murmuration/flow'
import type { BaseContext } from '@murmuration/kernel'
import type { calls } from '../calls.js'

export interface AccountCache {
  /** The account with this actor id, or null. */
  account(uri: string): Promise<AccountRecord | null>
  /** True if a local account follows this account. */
  isFollowed(accountId: string): Promise<boolean>
  /** The status with this URI, even if it is deleted; null if unknown. */
  status(uri: string): Promise<StatusRecord | null>
  /** The status with this address (its URI, its page, or an earlier URI), even if it is deleted; null if unknown. */
  statusAt(address: string): Promise<StatusRecord | null>
}

const MAX_ACCOUNTS = 20_000
/** Lifetime of a cached account, short because the message that invalidates it may be lost. */
const ACCOUNT_MS = 15_000
/** Lifetime of a cached "has local followers". A negative result is not cached, because a follow can come at any time. */
const FOLLOWED_MS = 30_000
/** Maximum number of look-ups per batch request, and of concurrent batch requests. */
const TOGETHER = { max: 100, concurrency: 8 }
/** 100 years in days, so that inactive followers count, too. */
const EVER_DAYS = 36_500

/** Batches look-ups by URI. If a record has another URI than the requested one, the batch fails and each URI is requested alone. */
const byUri = <T extends { uri: string }>(load: (uris: string[]) => Promise<readonly T[]>) =>
  createBatcher<string, T | null>(async (uris) => {
    const distinct = [...new Set(uris)]
    const records = await load(distinct)
    if (distinct.length === 1) return uris.map(() => records[0] ?? null)
    const known = new Map(records.map((record) => [record.uri, record]))
    if (records.some((record) => !distinct.includes(record.uri))) throw new Error('known under another uri')
    return uris.map((uri) => known.get(uri) ?? null)
  }, TOGETHER)

export const createAccountCache = (
  base: Pick<BaseContext<(typeof calls)[number]>, 'call' | 'invalidations' | 'clock'>,
): AccountCache => {
  const now = () => base.clock.now()
  const accounts = createMemoryCache<AccountRecord | null>({
    max: MAX_ACCOUNTS,
    ttlMs: ACCOUNT_MS,
    now,
    idOf: (account) => account?.id ?? null,
  })
  const followed = createMemoryCache<boolean>({ max: MAX_ACCOUNTS, ttlMs: FOLLOWED_MS, now })
  base.invalidations.subscribe(accountInvalidation, (ids) => {
    accounts.invalidate(ids)
    followed.invalidate(ids)
  })
  const recordOf = byUri(async (uris) => (await base.call(accountRecords, { uris })).records)
  const statusOf = byUri(async (uris) => (await base.call(statusRecords, { uris })).records)
  const statusAt = createBatcher<string, StatusRecord | null>(async (addresses) => {
    const { records, named = {} } = await base.call(statusRecords, { uris: [...new Set(addresses)], pages: true })
    const byName = new Map(records.flatMap((it) => [[it.uri, it] as const, [it.id, it] as const]))
    return addresses.map((address) => byName.get(address) ?? byName.get(named[address] ?? '') ?? null)
  }, TOGETHER)
  const loadIsFollowed = async (author: string): Promise<boolean> =>
    (await base.call(audience, { author, limit: 1, activeDays: EVER_DAYS })).followers.length > 0
  return {
    account: async (uri) =>
      accounts.load(
        uri,
        () => recordOf(uri),
        (record) => (record === null ? 0 : ACCOUNT_MS),
      ),
    isFollowed: async (accountId) =>
      followed.load(
        accountId,
        () => loadIsFollowed(accountId),
        (isFollowed) => (isFollowed ? FOLLOWED_MS : 0),
      ),
    status: statusOf,
    statusAt,
  }
}
