/** Translations and the languages of the translator, kept in Redis for a while; losing them costs a question. */
import { createHash } from 'node:crypto'
import type { Redis } from '@murmuration/cache'
import { keyOf } from './key.js'

const DAY_S = 86_400
const WEEK_S = 7 * DAY_S

/** The name of a translation: who made it, between which languages, of exactly which words. */
export const translationName = (provider: string, source: string, target: string, texts: readonly string[]): string =>
  createHash('sha256')
    .update(JSON.stringify([provider, source, target, texts]))
    .digest('base64url')

const read = async <T>(redis: Redis, key: string): Promise<T | null> => {
  const text = await redis.soft((client) => client.get(key), null)
  return typeof text === 'string' ? (JSON.parse(text) as T) : null
}

const write = async (redis: Redis, key: string, value: unknown, seconds: number): Promise<void> => {
  await redis.soft((client) => client.setEx(key, seconds, JSON.stringify(value)), undefined)
}

export const readTranslation = <T>(redis: Redis, name: string): Promise<T | null> =>
  read<T>(redis, keyOf('translation', name))

export const keepTranslation = (redis: Redis, name: string, value: unknown): Promise<void> =>
  write(redis, keyOf('translation', name), value, DAY_S)

export const readPairs = <T>(redis: Redis, provider: string): Promise<T | null> =>
  read<T>(redis, keyOf('translation-languages', provider))

export const keepPairs = (redis: Redis, provider: string, value: unknown): Promise<void> =>
  write(redis, keyOf('translation-languages', provider), value, WEEK_S)
