/** Asks a relay to take part; it does once it accepts. */

import { type Relay, relayEnable } from '@murmuration/contracts/federation'
import { notFound } from '@murmuration/contracts/kit'
import type { Context } from '../../context.js'
import { sendFollow } from '../../delivery/relay-follow.js'
import { handle } from '../../doors.js'
import { followPrefix } from '../../self.js'
import { type RelayRow, relayByUrl, updateRelay } from '../../store/relay.js'
import { relayOf } from '../../views/relay.js'
import { announceRelay } from './announce.js'

/** Each request has an id of its own, so that an answer to an older one changes nothing. */
export const ask = async (ctx: Context, relay: RelayRow): Promise<Relay> => {
  const followUri = `${followPrefix(ctx)}${relay.id}/${ctx.ids.next()}`
  // Noted first: the answer may be here before the request is.
  await updateRelay(ctx.db, relay.id, { state: 'pending', followUri })
  await sendFollow(ctx, relay, followUri)
  return relayOf({ ...relay, state: 'pending' })
}

export const enable = handle(relayEnable, async (ctx, viewer, { url }) => {
  const relay = await relayByUrl(ctx.db, url)
  if (relay === null) throw notFound()
  if (relay.state === 'accepted') return relayOf(relay)
  const asked = await ask(ctx, relay)
  await announceRelay(ctx, viewer, 'enable', { before: relay, after: { ...relay, state: 'pending' } })
  return asked
})
