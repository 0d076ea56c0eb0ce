/** Stores and reads cards of statuses in Redis, by id and revision. `cards.ts` builds missing cards from rows. */
import type { Redis } from '@murmuration/cache'
import type { Json } from '@murmuration/contracts/kit'
import { keyOf } from '../key.store.js'
import { generationOf } from './generation.store.js'

const LIFETIME_S = 6 * 3_600
/** Version of the card format. A release that changes the format must change it. */
const FORM = '5'
const cardKey = (generation: string, name: string): string => keyOf('card', FORM, generation, name)

/** Cards by name (`<id>.<rev>`). A card is missing if Redis does not have it or is unavailable. */
export const readCards = async <T>(redis: Redis, names: readonly string[]): Promise<Map<string, Json<T>>> => {
  if (names.length === 0) return new Map()
  const generation = await generationOf(redis, 'statuses')
  const texts = await redis.withFallback((client) => client.mGet(names.map((name) => cardKey(generation, name))), [])
  return new Map(
    names.flatMap((name, i) => {
      const text = texts[i]
      return typeof text === 'string' ? [[name, text as Json<T>] as const] : []
    }),
  )
}

/** Stores cards. Errors of Redis are ignored. */
export const writeCards = async (redis: Redis, cards: ReadonlyMap<string, string>): Promise<void> => {
  if (cards.size === 0) return
  const generation = await generationOf(redis, 'statuses')
  await redis.withFallback(async (client) => {
    const pipeline = client.multi()
    for (const [name, text] of cards) pipeline.setEx(cardKey(generation, name), LIFETIME_S, text)
    await pipeline.execAsPipeline()
  }, undefined)
}
