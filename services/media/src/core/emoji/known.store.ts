/** Custom emoji of this server, cached in memory for a minute. Each change of a custom emoji clears the cache. */
import type { BaseContext } from '@murmuration/kernel'
import { type EmojiRow, enabledEmojis } from './store.js'

const MAX_AGE_MS = 60_000

export interface KnownEmojis {
  (): Promise<readonly EmojiRow[]>
  invalidate(): void
}

export const createKnownEmojis = (base: Pick<BaseContext, 'db' | 'clock'>): KnownEmojis => {
  let until = Number.NEGATIVE_INFINITY
  let last: Promise<readonly EmojiRow[]> | undefined
  const invalidate = () => {
    last = undefined
  }
  const known = (): Promise<readonly EmojiRow[]> => {
    if (last && base.clock.now() < until) return last
    until = base.clock.now() + MAX_AGE_MS
    const loading = enabledEmojis(base.db)
    last = loading
    loading.catch(() => {
      if (last === loading) invalidate()
    })
    return loading
  }
  return Object.assign(known, { invalidate })
}
