/** Takes part in a relay no longer. */
import { relayDisable } from '@murmuration/contracts/federation'
import { notFound } from '@murmuration/contracts/kit'
import type { Context } from '../../context.js'
import { sendUndoOfFollow } from '../../delivery/relay-follow.js'
import { handle } from '../../doors.js'
import { type RelayRow, relayByUrl, updateRelay } from '../../store/relay.js'
import { relayOf } from '../../views/relay.js'
import { announceRelay } from './announce.js'

/** Nothing goes there or is taken from there from now on; then the relay is told. */
export const leave = async (ctx: Context, relay: RelayRow): Promise<void> => {
  await updateRelay(ctx.db, relay.id, { state: 'idle', followUri: null })
  if (relay.follow_uri !== null) await sendUndoOfFollow(ctx, relay, relay.follow_uri)
}

export const disable = handle(relayDisable, async (ctx, viewer, { url }) => {
  const relay = await relayByUrl(ctx.db, url)
  if (relay === null) throw notFound()
  await leave(ctx, relay)
  await announceRelay(ctx, viewer, 'disable', { before: relay, after: { ...relay, state: 'idle' } })
  return relayOf({ ...relay, state: 'idle' })
})
