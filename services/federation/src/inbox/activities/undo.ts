/**
 * Undo of a Follow, Like, EmojiReact, Announce, Block, or Accept.
 *
 * The undone activity is found by its embedded copy, else by its id.
 */

import type { InnerActivity } from '@murmuration/activitypub/vocabulary/activity'
import { requestOf } from '@murmuration/activitypub/vocabulary/read-activity'
import { hostOf, readUri, sameOrigin, type Uri } from '@murmuration/activitypub/vocabulary/uri'
import { applyRemote, remoteActivityTarget } from '@murmuration/contracts/accounts'
import { fetchObject } from '@murmuration/contracts/federation'
import { olderNames } from '@murmuration/contracts/kit'
import { applyRemoteInteraction } from '@murmuration/contracts/statuses'
import type { Context } from '../../context.js'
import { isOurs, type OwnHosts } from '../../core/activity/authority.rules.js'
import { withoutNeedlessParts } from '../../core/address/own-address.rules.js'
import { hostAccess } from '../../core/host/hosts.js'
import { authorizeUndo, isFoundByObject } from '../object-authority.rules.js'
import { undoneDelete } from './announced-delete.js'
import { withAuthors } from './author.js'
import { withResolvedAddresses } from './meaning.js'
import { done, ignored, type Outcome, refused } from './outcome.js'
import { followerHere, type Handler, localAccount, type Received, retryLater, statusAt } from './received.js'
import { reject } from './reject.js'
import { recordEffect, recordUndone, unlessNewer } from './undo-state.js'

type Undoing = Received<'Undo'>

const UNCHANGED = done('unchanged')

/** The follow or block that an activity of this actor created; null if there is none. */
const targetOf = async (ctx: Context, actor: string, uri: string) =>
  (await ctx.call(remoteActivityTarget, { actor, uri }))[olderNames.activityTarget]

const relation = async (
  ctx: Context,
  undoing: Undoing,
  what: 'undo-follow' | 'undo-block',
  inner: InnerActivity,
): Promise<Outcome> => {
  const { actor, activity } = undoing
  const uri = inner.object?.id ?? null
  const target = uri && (await localAccount(ctx, uri))
  if (!target) return ignored('unknown-object')
  const undone = await recordUndone(ctx, inner.id, activity.actor)
  if (undone === 'again') return UNCHANGED
  if (undone === 'unseen' && inner.id !== null) {
    if ((await targetOf(ctx, actor.id, inner.id)) !== null) await recordEffect(ctx, inner.id, activity.actor)
  }
  const { outcome } = await unlessNewer(
    ctx,
    undoing,
    (how) => ctx.call(applyRemote, { what, actor: actor.id, target: target.id, uri: inner.id, ...how }),
    inner.id,
  )
  return outcome === 'refused' ? refused('target-refuses') : done(outcome === 'done' ? null : outcome)
}

const interaction = async (
  ctx: Context,
  undoing: Undoing,
  what: 'undo-favourite' | 'undo-reblog',
  /**
   * `other`: true if the undone activity may be of another type. If it is not found, it is then not recorded as undone.
   */
  it: { object: string | null; id: InnerActivity['id']; undone?: 'like' | 'reaction'; other?: boolean },
): Promise<Outcome> => {
  const { actor, activity } = undoing
  const undone = await recordUndone(ctx, it.id, activity.actor)
  if (undone === 'again') return UNCHANGED
  const unseen = undone === 'unseen' && it.other !== true
  const { outcome } = await unlessNewer(
    ctx,
    undoing,
    (how) => {
      const { object, id: uri, undone } = it
      return ctx.call(applyRemoteInteraction, { what, actor: actor.id, object, uri, undone, unseen, ...how })
    },
    it.id,
  )
  if (outcome === 'refused') return refused('not-yours')
  if (outcome === 'done' && undone === 'unseen') await recordEffect(ctx, it.id, activity.actor)
  return outcome === 'unknown' ? ignored('unknown-object') : done(outcome === 'done' ? null : outcome)
}

/**
 * URI of the status that an Undo of an Announce names, if only a fetch resolves its address; null if no fetch is needed.
 *
 * Nothing is fetched for an actor without local followers, because an Announce of such an address by this actor is refused.
 */
const fetchedStatus = async (
  ctx: Context,
  { actor, activity }: Undoing,
  { object, id }: { object: Uri | null; id: Uri | null },
): Promise<Uri | null> => {
  // A reblog with an id is stored under it, so the look-up by its id has found it.
  if (id !== null || object === null || isOurs(object, ctx.self.ownHosts)) return null
  if ((await statusAt(ctx, object)) !== null) return null
  const isOpenHost = hostAccess(ctx, hostOf(object) as string) === 'open'
  if (!isOpenHost || !(await ctx.accountCache.isFollowed(actor.id))) return null
  // The actor may have reblogged its own followers-only status, so a local follower signs the fetch.
  const as = sameOrigin(object, activity.actor) ? await followerHere(ctx, actor.id) : null
  const input = { url: object, behind: true, ...(as === null ? {} : { as }) }
  const { outcome, note, local } = await ctx.call(fetchObject, input)
  if (outcome === 'later') throw retryLater('the status of an undone reblog cannot be fetched yet')
  const uri = readUri(note?.uri ?? local)
  return uri && withoutNeedlessParts(uri, ctx.self.ownHosts)
}

/** Handles the Undo of an Announce. Its status is fetched only if the Announce has no id and no stored status has the address. */
const reblog = async (ctx: Context, undoing: Undoing, it: { object: Uri | null; id: Uri | null }): Promise<Outcome> => {
  const outcome = await interaction(ctx, undoing, 'undo-reblog', it)
  if (outcome.outcome === 'done' && outcome.reason === null) return outcome
  const object = await fetchedStatus(ctx, undoing, it)
  return object === null ? outcome : interaction(ctx, undoing, 'undo-reblog', { ...it, object })
}

/** Handles an Undo that names only an id: tries favourites, reblogs, then follows and blocks of the actor with that id. */
const byId = async (ctx: Context, undoing: Undoing): Promise<Outcome> => {
  const { id } = undoing.activity.object
  if (id === null) return ignored('unknown-object')
  const favourite = await interaction(ctx, undoing, 'undo-favourite', { object: null, id, other: true })
  if (favourite.outcome === 'done' && favourite.reason === null) return favourite
  const reblog = await interaction(ctx, undoing, 'undo-reblog', { object: null, id })
  if (reblog.outcome === 'done' && reblog.reason === null) return reblog
  const { activity, actor } = undoing
  if ((await recordUndone(ctx, id, activity.actor)) === 'again') return UNCHANGED
  const target = await targetOf(ctx, actor.id, id)
  if (target === null) return reblog
  await recordEffect(ctx, id, activity.actor)
  const what = target.what === 'follow' ? 'undo-follow' : 'undo-block'
  const { outcome } = await ctx.call(applyRemote, {
    what,
    actor: actor.id,
    target: target.target,
    uri: id,
    exact: true,
  })
  // `other`: another activity has replaced the undone activity.
  if (outcome === 'other') return UNCHANGED
  return outcome === 'refused' ? refused('target-refuses') : done(outcome === 'done' ? null : outcome)
}

/** Handles the Undo of an Accept, such as of a follow or a quote, like a Reject. */
const undoAccept = async (ctx: Context, undoing: Undoing, { object }: InnerActivity): Promise<Outcome> => {
  if (object === null) return ignored('unknown-object')
  const { id, actor, addressing, published, language } = undoing.activity
  const rejection = { id, actor, addressing, published, language, type: 'Reject', result: null, object } as const
  // `dispatch.ts` replaced page addresses by URIs only in the Accept itself. Therefore those in its request are
  // replaced here.
  const resolved = await withResolvedAddresses(ctx, { ...rejection, inner: requestOf(object) })
  const activity = (await withAuthors(ctx, resolved, undoing.actor)) as Received<'Reject'>['activity']
  return reject(ctx, { ...undoing, activity })
}

/**
 * The embedded copy, without its id if that does not name the undone activity: an id that counts as missing, or the id of
 * the Undo itself. The undone activity is then found by its object.
 */
const withOwnId = (inner: InnerActivity, { id, actor }: Undoing['activity'], ownHosts: OwnHosts): InnerActivity =>
  inner.id !== null && (inner.id === id || isFoundByObject(inner.id, inner, actor, ownHosts))
    ? { ...inner, id: null }
    : inner

export const undo: Handler<'Undo'> = async (ctx, undoing) => {
  const authorized = authorizeUndo(undoing.activity, ctx.self.ownHosts)
  if (!authorized.ok) return refused(authorized.reason)
  const inner = undoing.activity.inner && withOwnId(undoing.activity.inner, undoing.activity, ctx.self.ownHosts)
  // If the embedded copy has no object, the undone activity is found by its id.
  if (inner === null || (inner.object === null && inner.id !== null)) return byId(ctx, undoing)
  const it = { object: inner.object?.id ?? null, id: inner.id }
  switch (inner.type) {
    case 'Follow':
      return relation(ctx, undoing, 'undo-follow', inner)
    case 'Block':
      return relation(ctx, undoing, 'undo-block', inner)
    case 'Like':
    case 'EmojiReact':
      return interaction(ctx, undoing, 'undo-favourite', { ...it, undone: inner.isReaction ? 'reaction' : 'like' })
    case 'Announce':
      return reblog(ctx, undoing, it)
    case 'Accept':
      return undoAccept(ctx, undoing, inner)
    case 'Delete':
      return undoneDelete(ctx, it.object)
    default:
      return ignored('nothing-to-undo')
  }
}
