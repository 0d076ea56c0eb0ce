/** Move: a remote account moved to another account. Valid only if the new account lists the old one in `alsoKnownAs`. */

import { hostOf, readUri, type Uri } from '@murmuration/activitypub/vocabulary/uri'
import { type AccountRecord, applyMove, putRemote } from '@murmuration/contracts/accounts'
import { fetchActor } from '@murmuration/contracts/federation'
import type { Context } from '../../context.js'
import { withoutNeedlessParts } from '../../core/address/own-address.rules.js'
import { hostAccess } from '../../core/host/hosts.js'
import { moveFault } from '../move.rules.js'
import { resolveAddresses } from './meaning.js'
import { done, type Outcome, refused } from './outcome.js'
import { accountOf, type Handler, localAccount, retryLater } from './received.js'

/**
 * Fetches an actor. `actor` is null if the actor does not exist, or if its host is blocked. Throws if the server of the
 * actor does not respond. `elsewhere`: the address may lead to an actor of another server. `local`: the address on this
 * server to which it leads.
 */
const readActor = async (ctx: Context, uri: Uri, elsewhere = false) => {
  if (hostAccess(ctx, hostOf(uri) as string) !== 'open') return { actor: null }
  const { outcome, actor, local } = await ctx.call(fetchActor, { uri, fresh: true, behind: true, elsewhere })
  if (outcome === 'later') throw retryLater('an actor of the Move cannot be fetched yet')
  return { actor, local }
}

/** The local account at an address of this server, which may be its page; null if there is none. */
const accountHere = async (ctx: Context, address: Uri): Promise<AccountRecord | null> => {
  const uri = withoutNeedlessParts(address, ctx.self.ownHosts)
  return localAccount(ctx, (await resolveAddresses(ctx, [uri])).get(uri) ?? uri)
}

/** The new account of a Move: a local account, or the fetched actor of another server. At least one of them is null. */
const readTarget = async (ctx: Context, target: Uri) => {
  const known = await localAccount(ctx, target)
  if (known) return { here: known, home: null }
  const { actor: home, local } = await readActor(ctx, target, true)
  const led = readUri(local)
  return { here: led && (await accountHere(ctx, led)), home }
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
  const { here, home } = await readTarget(ctx, activity.target)
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
  const { actor: old } = await readActor(ctx, activity.actor)
  if (old !== null) {
    const meant = here ?? home
    const isLed = meant !== null && old.moved_to === activity.target && old.moved_to !== meant.uri
    const led = isLed ? { moved_to: meant.uri, moved_to_address: activity.target } : {}
    await ctx.call(putRemote, { actor: { ...old, ...led }, announced: true })
  }
  const target = here ?? (home && (await ctx.call(putRemote, { actor: home })).record)
  return target ? moveFollowers(ctx, sender.id, target.id) : refused('no-target')
}
