/**
 * What activities ask for again and again: who somebody is and who follows them, remembered for moments; which statuses
 * are here, never remembered. What is asked at the same time is one question.
 */

import { createMemory } from '@murmuration/cache'
import { type AccountRecord, accountHint, accountRecords, audience } from '@murmuration/contracts/accounts'
import { type StatusRecord, statusRecords } from '@murmuration/contracts/statuses'
import { type BaseContext, createBatches } from '@murmuration/kernel'
import type { calls } from '../calls.js'

export interface Acquaintances {
  /** The account with this actor id, or null. */
  account(uri: string): Promise<AccountRecord | null>
  /** True when somebody here follows this account. */
  isFollowed(accountId: string): Promise<boolean>
  /** The status with this uri, also when it is deleted, or null. */
  status(uri: string): Promise<StatusRecord | null>
  /** The status that an address means: its id, its page or an old id; also when it is deleted. */
  statusAt(address: string): Promise<StatusRecord | null>
}

const MOST = 20_000
/** An account that changed is forgotten at once; this bounds what a lost hint can do. */
const ACCOUNT_MS = 15_000
/** Somebody who is followed stays interesting for a while; who is not may be followed any moment. */
const FOLLOWED_MS = 30_000
/** Questions of the same moment that go together. */
const TOGETHER = { most: 100, lanes: 8 }
/** More than anybody can have been away. */
const EVER_DAYS = 36_500

/** Asks for many by uri; who is known under another uri than was asked is asked for alone. */
const byUri = <T extends { uri: string }>(ask: (uris: string[]) => Promise<readonly T[]>) =>
  createBatches<string, T | null>(async (uris) => {
    const asked = [...new Set(uris)]
    const records = await ask(asked)
    if (asked.length === 1) return uris.map(() => records[0] ?? null)
    const known = new Map(records.map((record) => [record.uri, record]))
    if (records.some((record) => !asked.includes(record.uri))) throw new Error('known under another uri')
    return uris.map((uri) => known.get(uri) ?? null)
  }, TOGETHER)

export const createAcquaintances = (
  base: Pick<BaseContext<(typeof calls)[number]>, 'call' | 'hints' | 'clock'>,
): Acquaintances => {
  const now = () => base.clock.now()
  const accounts = createMemory<AccountRecord>({ most: MOST, ttlMs: ACCOUNT_MS, now })
  const followed = createMemory<true>({ most: MOST, ttlMs: FOLLOWED_MS, now })
  const recordOf = byUri(async (uris) => (await base.call(accountRecords, { uris })).records)
  const statusOf = byUri(async (uris) => (await base.call(statusRecords, { uris })).records)
  const statusAt = createBatches<string, StatusRecord | null>(async (addresses) => {
    const { records, named = {} } = await base.call(statusRecords, { uris: [...new Set(addresses)], pages: true })
    const byName = new Map(records.flatMap((it) => [[it.uri, it] as const, [it.id, it] as const]))
    return addresses.map((address) => byName.get(address) ?? byName.get(named[address] ?? '') ?? null)
  }, TOGETHER)
  /** Of a flood from one author everybody waits for one answer, unless something changed since it was asked for. */
  const asking = new Map<string, Promise<boolean>>()
  const askFollowed = async (author: string): Promise<boolean> =>
    (await base.call(audience, { author, limit: 1, activeDays: EVER_DAYS })).followers.length > 0
  let generation = 0
  base.hints.hear(accountHint, (ids) => {
    generation++
    const changed = ids && new Set(ids)
    if (changed === null) accounts.forget()
    else accounts.forget((it) => changed.has(it.id))
    if (changed === null) followed.forget()
    else for (const id of changed) followed.delete(id)
  })
  return {
    async account(uri) {
      const known = accounts.get(uri)
      if (known !== undefined) return known
      const asked = generation
      const record = await recordOf(uri)
      // An answer that was on its way when something changed may be older than the change.
      if (record !== null && asked === generation) accounts.set(uri, record)
      return record
    },
    async isFollowed(accountId) {
      if (followed.get(accountId)) return true
      const asked = generation
      const question = `${accountId} ${asked}`
      const answer = asking.get(question) ?? askFollowed(accountId).finally(() => asking.delete(question))
      asking.set(question, answer)
      const isFollowed = await answer
      if (isFollowed && asked === generation) followed.set(accountId, true)
      return isFollowed
    },
    status: statusOf,
    statusAt,
  }
}
