/**
 * Loads cards by id and revision from memory, else from Redis. Builds cards from rows if neither has them. A revision
 * never changes, so cached cards cannot be stale.
 */
import type { Redis } from '@murmuration/cache'
import { type CardCache, createCardCache } from '@murmuration/cards'
import { type AccountRecord, accountRecords } from '@murmuration/contracts/accounts'
import type { Json } from '@murmuration/contracts/kit'
import { loadInChunks } from '@murmuration/flow'
import type { BaseContext } from '@murmuration/kernel'
import { rowsOf } from '../status/store.js'
import { type CardMembers, cardText } from './card.js'
import { readCards, writeCards } from './store.js'

/** Name of the cache entry for the card of a status: its id and revision. */
export const cardName = (status: { id: string; rev: number }): string => `${status.id}.${status.rev}`

const idOf = (name: string): string => name.slice(0, name.indexOf('.'))

type Needs = Pick<BaseContext<typeof accountRecords>, 'db' | 'call' | 'site' | 'clock'> & { cache: Redis }

/** Account records by id, for texts and addresses. */
export const namedAccountsOf = (call: Needs['call'], ids: readonly string[]): Promise<Map<string, AccountRecord>> =>
  loadInChunks([...new Set(ids)], 1_000, async (some) => {
    const { records } = await call(accountRecords, { ids: some })
    return new Map(records.map((record) => [record.id, record]))
  })

const makeCards = async (ctx: Needs, names: readonly string[]): Promise<Map<string, Json<CardMembers>>> => {
  const rows = await rowsOf(ctx.db, names.map(idOf))
  const accounts = await namedAccountsOf(
    ctx.call,
    [...rows.values()].flatMap((row) => row.mentions.filter((one) => !one.silent).map((one) => one.id)),
  )
  return new Map([...rows.values()].map((row) => [cardName(row), cardText(row, accounts, ctx.site.origin)]))
}

export const createStatusCards = (ctx: Needs): CardCache<CardMembers> =>
  createCardCache<CardMembers>({
    now: ctx.clock.now,
    ttlMs: 600_000,
    async load(names) {
      const known = await readCards<CardMembers>(ctx.cache, names)
      const absent = names.filter((name) => !known.has(name))
      if (absent.length === 0) return known
      const made = await makeCards(ctx, absent)
      // The write is not awaited, because a card that is not stored yet is built again.
      writeCards(ctx.cache, made)
      // If a status was edited after it was loaded, only the card of its newer version exists. The newer card is
      // shown.
      const byId = new Map([...made].map(([name, text]) => [idOf(name), text]))
      for (const name of absent) {
        const text = byId.get(idOf(name))
        if (text !== undefined) known.set(name, text)
      }
      return known
    },
  })
