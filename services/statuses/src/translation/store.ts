/**
 * Translations (cached for a day) and language pairs (for a week) in Redis. If Redis loses an entry, the translator is
 * requested again.
 */
import { createHash } from 'node:crypto'
import type { Redis } from '@murmuration/cache'
import { generationOf } from '../core/card/generation.store.js'
import { keyOf } from '../core/key.store.js'

const DAY_S = 86_400
const WEEK_S = 7 * DAY_S

/** Cache name of a translation: provider, languages and texts. */
export const translationName = (provider: string, source: string, target: string, texts: readonly string[]): string =>
  createHash('sha256')
    .update(JSON.stringify([provider, source, target, texts]))
    .digest('base64url')

const read = async <T>(redis: Redis, key: string): Promise<T | null> => {
  const text = await redis.withFallback((client) => client.get(key), null)
  return typeof text === 'string' ? (JSON.parse(text) as T) : null
}

const write = async (redis: Redis, key: string, value: unknown, seconds: number): Promise<void> => {
  await redis.withFallback((client) => client.setEx(key, seconds, JSON.stringify(value)), undefined)
}

const keyIn = async (redis: Redis, area: 'translation' | 'translation-languages', name: string): Promise<string> =>
  keyOf(area, await generationOf(redis, 'translations'), name)

export const readTranslation = async <T>(redis: Redis, name: string): Promise<T | null> =>
  read<T>(redis, await keyIn(redis, 'translation', name))

export const writeTranslation = async (redis: Redis, name: string, value: unknown): Promise<void> =>
  write(redis, await keyIn(redis, 'translation', name), value, DAY_S)

export const readPairs = async <T>(redis: Redis, provider: string): Promise<T | null> =>
  read<T>(redis, await keyIn(redis, 'translation-languages', provider))

export const writePairs = async (redis: Redis, provider: string, value: unknown): Promise<void> =>
  write(redis, await keyIn(redis, 'translation-languages', provider), value, WEEK_S)
