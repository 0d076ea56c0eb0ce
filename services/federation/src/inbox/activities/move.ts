/** Move: a remote account moved to another account. Valid only if the new account lists the old one in `alsoKnownAs`. */

import { hostOf, type Uri } from '@murmuration/activitypub/vocabulary/uri'
import { applyMove, putRemote } from '@murmuration/contracts/accounts'
import { fetchActor } from '@murmuration/contracts/federation'
import type { Context } from '../../context.js'
import { hostAccess } from '../../core/host/hosts.js'
import { moveFault } from '../move.rules.js'
import { resolveAddresses } from './meaning.js'
import { done, type Outcome, refused } from './outcome.js'
import { accountOf, type Handler, localAccount, retryLater } from './received.js'

/**
 * Fetches an actor. Returns null if the actor does not exist, or if its host is blocked. Throws if the server of the
 * actor does not respond. `elsewhere`: the address may lead to an actor of another server.
 */
const readActor = async (ctx: Context, uri: Uri, elsewhere = false) => {
  if (hostAccess(ctx, hostOf(uri) as string) !== 'open') return null
  const { outcome, actor } = await ctx.call(fetchActor, { uri, fresh: true, behind: true, elsewhere })
  if (outcome === 'later') throw retryLater('an actor of the Move cannot be fetched yet')
  return actor
}

/**
 * Moves the local followers. The accounts service refuses a second Move within seven days, and a local target that does not name
 * the old account.
 */
const moveFollowers = async (ctx: Context, account: string, target: string): Promise<Outcome> => {
  const { outcome } = await ctx.call(applyMove, { account, target })
  return outcome === 'done' ? done() : refused(outcome === 'refused' ? 'no-target' : outcome)
}

export const move: Handler<'Move'> = async (ctx, { activity, actor: sender }) => {
  if (activity.object !== activity.actor) return refused('not-yours')
  const here = await localAccount(ctx, activity.target)
  const home = here ? null : await readActor(ctx, activity.target, true)
  if (!here) {
    // The new account may name the old account in `alsoKnownAs` by the address of its profile page.
    const aliases = await resolveAddresses(ctx, home?.also_known_as ?? [])
    const suspended = home !== null && ((await accountOf(ctx, home.uri))?.suspended ?? home.suspended)
    // The Move may name the new account by a page. The id of the fetched actor is proved.
    const meant = home === null ? activity : { ...activity, target: home.uri as Uri }
    const fault = moveFault(meant, {
      now: ctx.clock.now(),
      lastMove: null,
      target: home && {
        uri: home.uri as Uri,
        aliases: home.also_known_as.map((it) =>
          it === sender.url ? activity.actor : (aliases.get(it) ?? (it as Uri)),
        ),
        movedTo: home.moved_to as Uri | null,
        suspended,
      },
    })
    if (fault !== null) return refused(fault)
  }
  // The old actor is fetched and stored again, because its document now has `movedTo`.
  const old = await readActor(ctx, activity.actor)
  if (old !== null) {
    const movedTo = home !== null && old.moved_to === activity.target ? home.uri : old.moved_to
    await ctx.call(putRemote, { actor: { ...old, moved_to: movedTo }, announced: true })
  }
  const target = here ?? (home && (await ctx.call(putRemote, { actor: home })).record)
  return target ? moveFollowers(ctx, sender.id, target.id) : refused('no-target')
}
