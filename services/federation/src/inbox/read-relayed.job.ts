/** Fetches a public status that a relay announced, and stores it like a delivered one. */

import { hostOf, readUri } from '@murmuration/activitypub/vocabulary/uri'
import { fetchObject, readRelayedJob } from '@murmuration/contracts/federation'
import { isOurs } from '../core/authority.rules.js'
import { hostStanding } from '../core/hosts.js'
import { work } from '../handlers.js'
import { storeNew, storeWanted } from './activities/note.js'
import { reachAccount, statusOf, tryLater } from './activities/received.js'

export const readRelayed = work(readRelayedJob, async (ctx, { uri: address }, { tries }) => {
  const uri = readUri(address)
  if (uri === null || isOurs(uri, ctx.self.ownHosts)) return
  if (hostStanding(ctx, hostOf(uri) as string) !== 'open' || (await statusOf(ctx, uri)) !== null) return
  const { outcome, note } = await ctx.call(fetchObject, { url: uri, behind: true }, { timeoutMs: 30_000 })
  const mayWait = tries < readRelayedJob.retry.times
  if (outcome === 'later' && mayWait) throw tryLater('the relayed status cannot be fetched yet')
  if (note === null || note.visibility !== 'public') return
  const { record: actor, later } = await reachAccount(ctx, note.authorUri)
  if (later && mayWait) throw tryLater('the author of a relayed status cannot be fetched yet')
  if (actor === null || actor.suspended) return
  const brought = { note, actor, ownerId: null, handles: [] }
  // `storeNew` adds the status to home feeds of the author's followers, because the later Create has no effect then.
  if (await ctx.accountCache.isFollowed(actor.id)) await storeNew(ctx, brought)
  else await storeWanted(ctx, brought)
})
