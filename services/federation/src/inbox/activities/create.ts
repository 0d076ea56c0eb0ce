/** Create: stores a status that concerns local accounts, or casts votes in a local poll. */

import type { ActivityOf } from '@murmuration/activitypub/vocabulary/activity'
import type { JsonObject, Ref } from '@murmuration/activitypub/vocabulary/json'
import { readNote, voteOf } from '@murmuration/activitypub/vocabulary/read-note'
import { hostOf, isPublic, type Uri } from '@murmuration/activitypub/vocabulary/uri'
import { accountRecords } from '@murmuration/contracts/accounts'
import { fetchObject } from '@murmuration/contracts/federation'
import type { StatusRecord } from '@murmuration/contracts/statuses'
import { readTime } from '@murmuration/text'
import type { Context } from '../../context.js'
import { isOurs } from '../../core/activity/authority.rules.js'
import { INSTANCE_ACCOUNT } from '../../core/address/self.js'
import { remoteNote, withAddressing } from '../../core/remote-object/note.rules.js'
import { authorizeCreate } from '../object-authority.rules.js'
import { isAddressOf } from './author.js'
import { storeEdit, storeNew, type UnstoredStatus } from './note.js'
import { wasEdited } from './ordering.js'
import { done, ignored, type Outcome, refused } from './outcome.js'
import { followerHere, type Handler, type Received, retryLater, statusOf } from './received.js'
import { castVotes, votesIn } from './vote.js'

type StatusActivity = Pick<Received<'Create'>, 'actor' | 'ownerId'> & {
  activity: Pick<ActivityOf<'Create' | 'Update' | 'Announce'>, 'actor' | 'addressing' | 'language'>
}

/** Reason of the refusal of a fetched document that is no status. */
export const IS_NO_STATUS = 'object-is-no-status'

/** Maximum number of local addressees of an activity that are looked up. */
const MAX_ADDRESSED = 100

export type ReadCopy = { ok: true; unstored: UnstoredStatus } | { ok: false; outcome: Outcome }

const no = (outcome: Outcome): ReadCopy => ({ ok: false, outcome })

/**
 * Parses the embedded copy of a status. The caller has checked that the actor owns it.
 * @param edit whether the copy is from an Update
 */
export const readEmbeddedCopy = (
  ctx: Context,
  { activity, actor, ownerId }: StatusActivity,
  node: JsonObject,
  edit = false,
): ReadCopy => {
  const read = readNote(node, { around: activity, edit })
  if (!read.ok) return no(refused(read.reason))
  // A vote is never stored as a status. If all objects of a Create are votes, its handler has cast them before this call.
  // Any other vote is ignored here and not counted.
  if (voteOf(read.note) !== null) return no(ignored('vote'))
  const note = remoteNote(read.note, {
    author: activity.actor,
    followers: actor.followers_url as Uri | null,
    own: ctx.self,
    now: ctx.clock.now(),
  })
  return { ok: true, unstored: { note, actor, ownerId } }
}

/** The local account that signs the fetch of a non-public object: an addressee, else a follower of the author. */
const readerOf = async (ctx: Context, { activity, actor, ownerId }: StatusActivity): Promise<string | null> => {
  const addressed = [...activity.addressing.to, ...activity.addressing.cc]
  if (addressed.some(isPublic)) return null
  const ours = addressed.filter((uri) => isOurs(uri, ctx.self.ownHosts)).slice(0, MAX_ADDRESSED)
  const { records } = ours.length ? await ctx.call(accountRecords, { uris: ours, pages: true }) : { records: [] }
  const account = records.find((it) => it.domain === null && it.usable && it.id !== INSTANCE_ACCOUNT)
  return account?.id ?? ownerId ?? followerHere(ctx, actor.id)
}

/** Fetches the status from its own server, for activities without a usable copy. Throws if that server does not respond. */
export const fetchOriginal = async (
  ctx: Context,
  received: StatusActivity,
  uri: Uri,
  fresh = false,
): Promise<ReadCopy> => {
  const { actor, ownerId } = received
  const as = await readerOf(ctx, received)
  const input = { url: uri, fresh, behind: true, ...(as === null ? {} : { as }) }
  const { outcome, note } = await ctx.call(fetchObject, input)
  if (outcome === 'later') throw retryLater('the object cannot be read yet')
  if (note === null) return no(refused(outcome === 'ok' ? IS_NO_STATUS : `object-${outcome}`))
  if (!(await isAddressOf(ctx, note.authorUri as Uri, actor))) return no(refused('attributed-to-another'))
  return { ok: true, unstored: { note, actor, ownerId, current: fresh } }
}

/** Fetches the status like `fetchOriginal`. A document without `to` and `cc` has the addressing of the Create or Update. */
export const fetchAddressed = async (
  ctx: Context,
  received: StatusActivity,
  uri: Uri,
  fresh = false,
): Promise<ReadCopy> => {
  const read = await fetchOriginal(ctx, received, uri, fresh)
  if (!read.ok) return read
  const known = { followers: received.actor.followers_url as Uri | null, ownHosts: ctx.self.ownHosts }
  const note = withAddressing(read.unstored.note, received.activity.addressing, known)
  return { ok: true, unstored: { ...read.unstored, note } }
}

/**
 * Adds the owner of the inbox that received the activity to the accounts that may see a known status. The content stays
 * the same.
 */
const addInboxOwner = async (
  ctx: Context,
  received: Received<'Create'>,
  known: StatusRecord,
  node: JsonObject,
): Promise<Outcome> => {
  const { ownerId } = received
  const isOpen = known.visibility === 'public' || known.visibility === 'unlisted'
  if (ownerId === null || isOpen || known.mentions.includes(ownerId)) return done('unchanged')
  const read = readEmbeddedCopy(ctx, received, node)
  if (!read.ok) return read.outcome
  const { unstored } = read
  return storeEdit(ctx, { ...unstored, note: { ...unstored.note, edited_at: null } }, known)
}

const DAY_MS = 86_400_000

/** True for a status that was published more than a day ago. */
export const isOld = (ctx: Pick<Context, 'clock'>, { note }: UnstoredStatus): boolean =>
  ctx.clock.now() - readTime(note.published) > DAY_MS

/**
 * The embedded object, or a fresh fetch if the status is old and was edited. A fetched document without any addressing gets that of
 * the embedded object.
 */
const newestOf = async (ctx: Context, received: Received<'Create'>, node: JsonObject, uri: Uri): Promise<ReadCopy> => {
  const read = readEmbeddedCopy(ctx, received, node)
  if (!read.ok || !isOld(ctx, read.unstored) || !(await wasEdited(ctx, received, uri))) return read
  const current = await fetchAddressed(ctx, received, uri, true)
  const { unaddressed: copyHasNone, visibility, mentionUris } = read.unstored.note
  if (copyHasNone || !current.ok || !current.unstored.note.unaddressed) return current
  const { unaddressed: _none, ...note } = current.unstored.note
  const named = new Set(note.mentionUris.map((one) => one.uri))
  const silent = mentionUris.filter((one) => one.silent && !named.has(one.uri))
  return {
    ok: true,
    unstored: { ...current.unstored, note: { ...note, visibility, mentionUris: [...note.mentionUris, ...silent] } },
  }
}

const createOne = async (ctx: Context, received: Received<'Create'>, object: Ref): Promise<Outcome> => {
  const authorized = authorizeCreate(received.activity, object, ctx.self.ownHosts)
  if (!authorized.ok) return refused(authorized.reason)
  const known = await statusOf(ctx, authorized.uri)
  if (known !== null && known.author !== received.actor.id) return refused('not-yours')
  if (known?.deleted) return ignored('deleted-before')
  // Only an Update changes the content of a known status.
  if (known !== null)
    return authorized.from === 'copy' ? addInboxOwner(ctx, received, known, authorized.node) : done('unchanged')
  const read =
    authorized.from === 'copy'
      ? await newestOf(ctx, received, authorized.node, authorized.uri)
      : await fetchAddressed(ctx, received, authorized.uri)
  if (!read.ok) return read.outcome
  return storeNew(ctx, read.unstored)
}

export const create: Handler<'Create'> = async (ctx, received) => {
  const { activity } = received
  // Statuses that need a bearer token to fetch are not supported: the token has the rights of another account.
  if (activity.bearer !== null) return refused('bearer')
  const votes = votesIn(activity, ctx.self.ownHosts)
  if (votes !== null) return castVotes(ctx, received, votes)
  const outcomes = await Promise.all(activity.objects.map((object) => createOne(ctx, received, object)))
  const stored = outcomes.find((it) => it.outcome === 'done')
  if (stored === undefined) return outcomes[0] as Outcome
  // An activity with several objects has the outcome of a stored object, so the refusals of its other objects are
  // counted here.
  for (const { outcome, reason } of outcomes)
    if (outcome !== 'done' && reason !== null) ctx.refusals.count('worker', reason, hostOf(activity.actor))
  return stored
}
