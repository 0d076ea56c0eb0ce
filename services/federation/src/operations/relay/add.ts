/** Adds a relay by its inbox or its actor, and asks it to take part. */

import { hostOf, readUri, type Uri } from '@murmuration/activitypub/vocabulary/uri'
import { fetchActor, relayAdd } from '@murmuration/contracts/federation'
import { fail } from '@murmuration/contracts/kit'
import type { Context } from '../../context.js'
import { styleOf } from '../../domain/relay.js'
import { handle } from '../../doors.js'
import { hostStanding, notReady } from '../../hosts.js'
import { insertRelay, relayByUrl } from '../../store/relay.js'
import { announceRelay } from './announce.js'
import { ask } from './enable.js'

const wrong = (what: string) => fail('unprocessable', `Validation failed: Inbox URL ${what}`)

/** Where a relay receives things; one that is given by its actor is read first. */
const placeOf = async (ctx: Context, url: Uri): Promise<{ inbox_url: string; actor_uri: string | null }> => {
  if (styleOf(url) === 'inbox') return { inbox_url: url, actor_uri: null }
  const { outcome, actor } = await ctx.call(fetchActor, { uri: url })
  if (outcome === 'later') throw fail('unavailable', 'The relay does not answer, try again later', { retryAfter: 30 })
  if (actor === null || actor.uri !== url) throw wrong('is neither an inbox nor an actor')
  return { inbox_url: actor.inbox_url, actor_uri: actor.uri }
}

export const add = handle(relayAdd, async (ctx, viewer, { url }) => {
  const uri = readUri(url.trim())
  const host = uri && hostOf(uri)
  if (uri === null || host === null || ctx.self.ownHosts.has(host)) throw wrong('is not valid')
  const standing = hostStanding(ctx, host)
  if (standing === 'unknown') throw notReady()
  if (standing === 'blocked') throw wrong('is on a server that is blocked')
  const place = await placeOf(ctx, uri)
  const isNew = await insertRelay(ctx.db, {
    id: ctx.ids.next(),
    url: uri,
    style: styleOf(uri),
    ...place,
    at: ctx.clock.date(),
  })
  const relay = await relayByUrl(ctx.db, uri)
  if (!isNew || relay === null) throw fail('conflict', 'The relay is there already')
  const asked = await ask(ctx, relay)
  await announceRelay(ctx, viewer, 'create', { before: null, after: { ...relay, state: 'pending' } })
  return asked
})
