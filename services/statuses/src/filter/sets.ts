/**
 * Keeps compiled filters of accounts in memory, by revision. Accounts without filters cost nothing; changed filters are
 * loaded again.
 */
import type { Reader } from '@murmuration/db'
import { createMemoryCache } from '@murmuration/flow'
import type { Clock } from '@murmuration/kernel'
import { compileEvaluator, type FilterEvaluator, type PlainTexts, plainText } from '../core/filter/filtered.js'
import type { FilterSet } from '../core/filter/rules.js'
import { filterSetsOf } from './store.js'

interface Held {
  /** Revision of the account's filters; null if the account never had a filter. */
  rev: string | null
  evaluate: FilterEvaluator | null
  characters: number
}

export interface FilterSets {
  /**
   * Compiled filters of an account at this revision. The revision is read with the statuses, so the filters are never
   * stale.
   */
  at(account: string, rev: string): Promise<FilterEvaluator | null>
  /**
   * For streams: compiled filters of those accounts that have any. The filters are cached for a minute; invalidations
   * invalidate the cache.
   */
  many(accounts: readonly string[]): Promise<Map<string, FilterEvaluator>>
  /** The plain text of a card, cached for the next comparison. */
  plain: PlainTexts
  invalidate(accounts: readonly string[] | null): void
}

const NONE: Held = { rev: null, evaluate: null, characters: 0 }

const compiled = (set: FilterSet | undefined): Held =>
  set === undefined
    ? NONE
    : {
        rev: set.rev,
        evaluate: compileEvaluator(set),
        characters: set.filters.reduce(
          (sum, one) =>
            sum + 200 + one.keywords.reduce((n, word) => n + word.keyword.length, 0) + one.statuses.length * 20,
          0,
        ),
      }

export const createFilterSets = ({ db, clock }: { db: Reader; clock: Pick<Clock, 'now'> }): FilterSets => {
  const held = createMemoryCache<Held>({
    // Maximum size of the cache in characters of keywords. A compiled character takes about 250 bytes. An account
    // without filters counts as one character.
    max: 300_000,
    sizeOf: (one) => one.characters + 1,
    ttlMs: 60_000,
    now: clock.now,
  })
  const plains = createMemoryCache<string>({ max: 4_000_000, sizeOf: (text) => text.length + 50 })

  const read = async (accounts: readonly string[]): Promise<Map<string, Held>> => {
    const sets = await filterSetsOf(db, accounts)
    return new Map(accounts.map((account) => [account, compiled(sets.get(account))]))
  }

  return {
    async at(account, rev) {
      const known = held.get(account)
      if (known?.rev === rev) return known.evaluate
      // Deletes the cached filters of the account: a set in the cache, or one that is being read, may be of an earlier
      // revision.
      held.delete(account)
      return (await held.many([account], read)).get(account)?.evaluate ?? null
    },
    async many(accounts) {
      const found = await held.many(accounts, read)
      return new Map([...found].flatMap(([account, { evaluate }]) => (evaluate ? [[account, evaluate] as const] : [])))
    },
    plain(name, card, quotes) {
      // A quote may be added or removed without a new revision, and so without a new name of the card.
      const key = quotes ? `${name} quote` : name
      const known = plains.get(key)
      if (known !== undefined) return known
      const text = plainText(card, quotes)
      plains.set(key, text)
      return text
    },
    invalidate: held.invalidate,
  }
}
