/** Handlers for streaming: connected accounts, and statuses for listeners. */

import { fail } from '@murmuration/contracts/kit'
import { listeningAccounts, renderForListeners } from '@murmuration/contracts/statuses'
import { presentAmong } from '../core/live/presence.store.js'
import { handle } from '../handlers.js'
import { renderFor } from './listener.js'

/** Milliseconds for which a presence mark is valid after its renewal. */
const FRESH_MS = 18 * 60_000

/** The given accounts that are connected to streaming. The notifications service uses it to decide whether to send an e-mail. */
export const listening = handle(listeningAccounts, async (ctx, _viewer, { accounts }) => ({
  listening: await presentAmong(ctx.redis, accounts, ctx.clock.now() - FRESH_MS),
}))

/** Index in `tailOf` for a listener from whom the status is hidden. */
const HIDDEN = -1

/**
 * Renders one status for the listeners of a streaming process whose grants are valid. Listeners without a valid grant
 * are listed in `refused`.
 */
export const forListeners = handle(renderForListeners, async (ctx, _viewer, { id, listeners, grants, surface }) => {
  // A streaming process of an earlier release sends no grants, and its request is refused.
  if (grants === undefined) throw fail('forbidden', 'This action is not allowed')
  const allowed = listeners.map((listener, i) => ctx.streamGrants.allows(listener, grants[i] ?? ''))
  if (allowed.every(Boolean)) return renderFor(ctx, id, listeners, surface)
  const heard = listeners.filter((_listener, i) => allowed[i])
  const refused = allowed.flatMap((is, i) => (is ? [] : [i]))
  if (heard.length === 0) return { card: null, tails: [], tailOf: listeners.map(() => HIDDEN), refused }
  const { card, tails, tailOf } = await renderFor(ctx, id, heard, surface)
  const places = new Map(heard.map((listener, i) => [listener, tailOf[i] ?? HIDDEN]))
  return {
    card,
    tails,
    tailOf: listeners.map((one, i) => (allowed[i] ? (places.get(one) ?? HIDDEN) : HIDDEN)),
    refused,
  }
})
