/**
 * Compiled filters of accounts in memory, by revision. Accounts without filters cost nothing; changed filters are
 * loaded again.
 */
import type { Reader } from '@murmuration/db'
import { LRUCache } from 'lru-cache'
import { compileVerdict, plainText, type Verdict } from '../core/filter/filtered.js'
import type { FilterSet } from '../core/filter/rules.js'
import { filterSetsOf } from './store.js'

interface Held {
  /** Revision; null if the account never had a filter. */
  rev: string | null
  verdict: Verdict | null
  characters: number
}

export interface FilterSets {
  /**
   * Compiled filters of an account at this revision. The revision is read with the statuses, so the filters are never
   * stale.
   */
  at(account: string, rev: string): Promise<Verdict | null>
  /** For streams: compiled filters of those accounts that have any. Cached for a minute; hints invalidate the cache. */
  many(accounts: readonly string[]): Promise<Map<string, Verdict>>
  /** The plain text of a card, cached for the next comparison. */
  plain(name: string, card: string): string
  forget(accounts: readonly string[] | null): void
}

const NONE: Held = { rev: null, verdict: null, characters: 0 }

const compiled = (set: FilterSet | undefined): Held =>
  set === undefined
    ? NONE
    : {
        rev: set.rev,
        verdict: compileVerdict(set),
        characters: set.filters.reduce(
          (sum, one) =>
            sum + 200 + one.keywords.reduce((n, word) => n + word.keyword.length, 0) + one.statuses.length * 20,
          0,
        ),
      }

export const createFilterSets = ({ db }: { db: Reader }): FilterSets => {
  const held = new LRUCache<string, Held>({
    // Size in characters of keywords. A compiled character takes about 250 bytes; an account without filters counts as
    // 1.
    maxSize: 300_000,
    sizeCalculation: (one) => one.characters + 1,
    ttl: 60_000,
    ttlResolution: 1_000,
  })
  const plains = new LRUCache<string, string>({ maxSize: 4_000_000, sizeCalculation: (text) => text.length + 50 })
  let generation = 0

  const load = async (accounts: readonly string[]): Promise<Map<string, Held>> => {
    const started = generation
    const sets = await filterSetsOf(db, accounts)
    const found = new Map(accounts.map((account) => [account, compiled(sets.get(account))]))
    // An invalidation during this load means that the loaded filters may be stale, so they are not cached.
    if (started === generation) for (const [account, one] of found) held.set(account, one)
    return found
  }

  return {
    async at(account, rev) {
      const known = held.get(account)
      if (known?.rev === rev) return known.verdict
      return (await load([account])).get(account)?.verdict ?? null
    },
    async many(accounts) {
      const verdicts = new Map<string, Verdict>()
      const absent: string[] = []
      for (const account of accounts) {
        const one = held.get(account)
        if (one === undefined) absent.push(account)
        else if (one.verdict) verdicts.set(account, one.verdict)
      }
      for (const [account, { verdict }] of absent.length ? await load(absent) : [])
        if (verdict) verdicts.set(account, verdict)
      return verdicts
    },
    plain(name, card) {
      const known = plains.get(name)
      if (known !== undefined) return known
      const text = plainText(card)
      plains.set(name, text)
      return text
    },
    forget(accounts) {
      generation++
      if (accounts === null) held.clear()
      else for (const account of accounts) held.delete(account)
    },
  }
}
