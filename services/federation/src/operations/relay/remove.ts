/** Takes part in a relay no longer, and forgets it. */
import { relayRemove } from '@murmuration/contracts/federation'
import { notFound } from '@murmuration/contracts/kit'
import { handle } from '../../doors.js'
import { deleteRelay, relayByUrl } from '../../store/relay.js'
import { relayOf } from '../../views/relay.js'
import { announceRelay } from './announce.js'
import { leave } from './disable.js'

export const remove = handle(relayRemove, async (ctx, viewer, { url }) => {
  const relay = await relayByUrl(ctx.db, url)
  if (relay === null) throw notFound()
  await leave(ctx, relay)
  await deleteRelay(ctx.db, relay.id)
  await announceRelay(ctx, viewer, 'destroy', { before: relay, after: null })
  return relayOf({ ...relay, state: 'idle' })
})
