/** Takes part in a relay no longer, and forgets it. */
import { relayRemove } from '@murmuration/contracts/federation'
import { notFound } from '@murmuration/contracts/kit'
import { handle } from '../../doors.js'
import { deleteRelay, relayByUrl } from '../../store/relay.js'
import { relayOf } from '../../views/relay.js'
import { leave } from './disable.js'

export const remove = handle(relayRemove, async (ctx, _viewer, { url }) => {
  const relay = await relayByUrl(ctx.db, url)
  if (relay === null) throw notFound()
  await leave(ctx, relay)
  await deleteRelay(ctx.db, relay.id)
  return relayOf({ ...relay, state: 'idle' })
})
