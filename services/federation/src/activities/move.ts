/** Move: an account says that it lives elsewhere now; believed only when the new home names the old one. */
import { putRemote } from '@murmuration/contracts/accounts'
import { fetchActor } from '@murmuration/contracts/federation'
import type { Context } from '../context.js'
import { moveFault } from '../domain/move.js'
import { hostStanding } from '../hosts.js'
import { hostOf, type Uri } from '../vocabulary/uri.js'
import { done, refused } from './outcome.js'
import { accountOf, type Handler, tryLater } from './received.js'

/** The new home, read from its own address. Homes here are not looked at: they have no way to name an old one yet. */
const readHome = async (ctx: Context, uri: Uri) => {
  if (hostStanding(ctx, hostOf(uri) as string) !== 'open') return null
  const { outcome, actor } = await ctx.call(fetchActor, { uri })
  if (outcome === 'later') throw tryLater('the new home cannot be read yet')
  return actor
}

export const move: Handler<'Move'> = async (ctx, { activity }) => {
  if (activity.object !== activity.actor) return refused('not-yours')
  const home = await readHome(ctx, activity.target)
  const suspended = home !== null && ((await accountOf(ctx, home.uri))?.suspended ?? home.suspended)
  const fault = moveFault(activity, {
    now: ctx.clock.now(),
    lastMove: null,
    target: home && {
      uri: home.uri as Uri,
      aliases: home.also_known_as as Uri[],
      movedTo: home.moved_to as Uri | null,
      suspended,
    },
  })
  if (fault !== null || home === null) return refused(fault ?? 'no-target')
  // Followers stay where they are; the profile shows where its owner went, as its own document says.
  const { outcome, actor } = await ctx.call(fetchActor, { uri: activity.actor })
  if (outcome === 'later') throw tryLater('the old home cannot be read yet')
  if (actor !== null) await ctx.call(putRemote, { actor })
  return done('followers-stay')
}
