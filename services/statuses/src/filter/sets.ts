/** Compiled filters of people in memory, by revision: who has none costs nothing, and who changes them is read anew. */
import type { Reader } from '@murmuration/db'
import { LRUCache } from 'lru-cache'
import { compileVerdict, plainText, type Verdict } from '../core/filter/filtered.js'
import type { FilterSet } from '../core/filter/rules.js'
import { filterSetsOf } from './store.js'

interface Held {
  /** Null when the person never made a filter. */
  rev: string | null
  verdict: Verdict | null
  characters: number
}

export interface FilterSets {
  /** Compiled filters of an account at this revision, which is read with the statuses, so that they are never out of date. */
  at(account: string, rev: string): Promise<Verdict | null>
  /** For streams: of these people, those who have filters; known for a minute at most, and forgotten on hints. */
  many(accounts: readonly string[]): Promise<Map<string, Verdict>>
  /** The plain text of a card, kept because the next reader compares it too. */
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
    // A character of a keyword takes some 250 bytes when it is compiled; who has no filters takes next to nothing.
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
    // Filters that were forgotten during this load may be out of date.
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
