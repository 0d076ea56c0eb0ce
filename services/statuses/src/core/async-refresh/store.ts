/** Stores async refreshes in Redis: state and result count of background work, by refresh id and by name. */
import { randomBytes } from 'node:crypto'
import type { Redis } from '@murmuration/cache'
import { keyOf as ownKey } from '../key.store.js'

const RUNNING_S = 86_400
const FINISHED_S = 3_600

export interface Refresh {
  id: string
  status: 'running' | 'finished'
  count: number
}

const keyOf = (id: string): string => ownKey('refresh', id)
const nameOf = (thing: string): string => ownKey('refresh-of', thing)

/**
 * Starts background work. Returns the refresh id; null if the same work is running or finished recently, or Redis is
 * unavailable.
 */
export const beginRefresh = (redis: Redis, thing: string): Promise<string | null> =>
  redis.withFallback(async (client) => {
    const id = randomBytes(12).toString('hex')
    const begun = await client.set(nameOf(thing), id, { condition: 'NX', expiration: { type: 'EX', value: RUNNING_S } })
    if (begun === null) return null
    await client.setEx(keyOf(id), RUNNING_S, JSON.stringify({ status: 'running', count: 0 }))
    return id
  }, null)

/**
 * Stores the progress of background work. Finished work stays readable for an hour. `rest`: seconds after which the
 * work may start again.
 */
export const updateRefresh = (
  redis: Redis,
  thing: string,
  { id, status, count }: Refresh,
  rest: number = FINISHED_S,
): Promise<void> =>
  redis.withFallback(async (client) => {
    const seconds = status === 'running' ? RUNNING_S : FINISHED_S
    await client.setEx(keyOf(id), seconds, JSON.stringify({ status, count }))
    await client.expire(nameOf(thing), status === 'running' ? RUNNING_S : rest)
  }, undefined)

const read = (text: string | null, id: string): Refresh | null =>
  text === null ? null : { id, ...(JSON.parse(text) as Omit<Refresh, 'id'>) }

export const refreshById = (redis: Redis, id: string): Promise<Refresh | null> =>
  redis.withFallback(async (client) => read((await client.get(keyOf(id))) as string | null, id), null)

/** Async refresh with a name; null if there is none. */
export const refreshOf = (redis: Redis, thing: string): Promise<Refresh | null> =>
  redis.withFallback(async (client) => {
    const id = (await client.get(nameOf(thing))) as string | null
    return id === null ? null : read((await client.get(keyOf(id))) as string | null, id)
  }, null)
