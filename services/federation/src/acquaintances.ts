/** Facts about remote people that every activity of theirs asks for, remembered for moments: who they are, who follows them. */
import { type AccountRecord, accountHint, accountRecords, audience } from '@murmuration/contracts/accounts'
import type { BaseContext } from '@murmuration/kernel'
import type { calls } from './manifest.js'
import { createMemory } from './memory.js'

export interface Acquaintances {
  /** The account with this actor id, or null. */
  account(uri: string): Promise<AccountRecord | null>
  /** True when somebody here follows this account. */
  isFollowed(accountId: string): Promise<boolean>
}

const MOST = 20_000
/** An account that changed is forgotten at once; this bounds what a lost hint can do. */
const ACCOUNT_MS = 15_000
/** Somebody who is followed stays interesting for a while; who is not may be followed any moment. */
const FOLLOWED_MS = 30_000
/** More than anybody can have been away. */
const EVER_DAYS = 36_500

export const createAcquaintances = (
  base: Pick<BaseContext<(typeof calls)[number]>, 'call' | 'hints' | 'clock'>,
): Acquaintances => {
  const now = () => base.clock.now()
  const accounts = createMemory<AccountRecord>({ most: MOST, ttlMs: ACCOUNT_MS, now })
  const followed = createMemory<true>({ most: MOST, ttlMs: FOLLOWED_MS, now })
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
      const { records } = await base.call(accountRecords, { uris: [uri] })
      const [record] = records
      // An answer that was on its way when something changed may be older than the change.
      if (record !== undefined && asked === generation) accounts.set(uri, record)
      return record ?? null
    },
    async isFollowed(accountId) {
      if (followed.get(accountId)) return true
      const asked = generation
      const { followers } = await base.call(audience, { author: accountId, limit: 1, activeDays: EVER_DAYS })
      if (followers.length > 0 && asked === generation) followed.set(accountId, true)
      return followers.length > 0
    },
  }
}
