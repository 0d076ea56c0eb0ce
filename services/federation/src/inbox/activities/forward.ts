/**
 * Forwards activities about conversations of local accounts to the servers of their followers.
 *
 * Forwarded are replies to local statuses, and edits and deletions of statuses that reply to, or were reblogged or quoted by,
 * local accounts. The received bytes are sent unchanged, and only with a valid linked-data signature.
 */

import { prop, type Ref } from '@murmuration/activitypub/vocabulary/json'
import { inReplyToOf } from '@murmuration/activitypub/vocabulary/read-note'
import { hostOf, isPublic, sameOrigin, type Uri } from '@murmuration/activitypub/vocabulary/uri'
import { localBoosters, localQuoters, type StatusRecord } from '@murmuration/contracts/statuses'
import type { Context } from '../../context.js'
import { isOurs, type OwnHosts } from '../../core/activity/authority.rules.js'
import { statusUriOf } from '../../core/activity/compaction.rules.js'
import { isUnanswered } from '../../core/signature/signer.js'
import { followerInboxes, publish, recordsOf } from '../../outbox/index.js'
import { isSignedInside } from '../proof.js'
import { type ReceivedText, statusOf } from './received.js'

/** Maximum number of local accounts whose followers receive a forwarded activity. */
const MAX_ACCOUNTS = 40

/** True if an object replies to an address of this server. Reads only the document, because most replies are to other servers. */
const repliesToLocal = (object: Ref | undefined, ownHosts: OwnHosts): boolean => {
  const parent = object?.node ? inReplyToOf(object.node) : null
  return parent !== null && isOurs(parent, ownHosts)
}

/**
 * URI of the object of an activity that may be forwarded; else null. The object must be public, and have an id and a
 * signature.
 */
const aboutOf = ({ activity, document }: ReceivedText, ownHosts: OwnHosts): Uri | null => {
  if (activity.id === null || prop(document, 'signature') === undefined) return null
  const { to, cc } = activity.addressing
  const isOpen = activity.type === 'Delete' || [...to, ...cc].some(isPublic)
  if (!isOpen) return null
  switch (activity.type) {
    case 'Create':
      return repliesToLocal(activity.objects[0], ownHosts) ? (activity.objects[0]?.id ?? null) : null
    case 'Update':
    case 'Delete':
      return activity.object.id === activity.actor ? null : activity.object.id
    default:
      return null
  }
}

/**
 * Ids of the local accounts whose followers receive activities about an open status. These are the account that the
 * status replies to, and unless the status `isNew`, accounts that reblogged or quoted it.
 */
const concerned = async (ctx: Context, status: StatusRecord, isNew: boolean): Promise<string[]> => {
  if (status.visibility !== 'public' && status.visibility !== 'unlisted') return []
  const { id, in_reply_to_author: parentAuthor } = status
  const [boosters, quoters] = isNew
    ? [[], []]
    : await Promise.all([
        ctx.call(localBoosters, { status: id, limit: MAX_ACCOUNTS }).then((it) => it.accounts),
        ctx.call(localQuoters, { status: id, limit: MAX_ACCOUNTS }).then((it) => it.quotes.map((one) => one.account)),
      ])
  const accounts = await recordsOf(ctx, [...(parentAuthor === null ? [] : [parentAuthor]), ...boosters, ...quoters])
  return [...accounts.values()]
    .filter((it) => it.domain === null && it.usable && !it.suspended)
    .map((it) => it.id)
    .slice(0, MAX_ACCOUNTS)
}

/**
 * True if other servers can verify the activity. A Delete whose key this server cannot fetch now counts as not forwardable, because
 * the status is deleted at once.
 */
const isForwardable = (ctx: Context, { activity, document }: ReceivedText): Promise<boolean> =>
  isSignedInside(ctx, document).catch((error) => {
    if (activity.type === 'Delete' && isUnanswered(error)) return false
    throw error
  })

/**
 * Forwards an activity to the followers of `accounts` (account ids); the first one signs the requests. Forwarding twice
 * is safe.
 */
const passOn = async (ctx: Context, passed: ReceivedText, about: Uri, accounts: readonly string[]): Promise<void> => {
  const { activity, text } = passed
  const [signer] = accounts
  if (signer === undefined || activity.id === null || !(await isForwardable(ctx, passed))) return
  const inboxes = (await Promise.all(accounts.map((id) => followerInboxes(ctx, id)))).flat()
  // The activity is not forwarded to the server of its actor.
  const own = hostOf(activity.actor)
  await publish(ctx, {
    actorId: signer,
    seq: ctx.ids.next(),
    activity: null,
    text,
    uri: activity.id,
    kind: activity.type,
    about: statusUriOf(about),
    inboxes: inboxes.filter((url) => hostOf(url) !== own),
    receivers: activity.type === 'Create' ? 'named' : 'reached',
  })
}

/**
 * Forwards a Delete. A Delete must be forwarded before the status is deleted, because the concerned accounts are
 * unknown afterwards.
 */
export const forwardBefore = async (ctx: Context, passed: ReceivedText, actorId: string): Promise<void> => {
  const about = passed.activity.type === 'Delete' ? aboutOf(passed, ctx.self.ownHosts) : null
  const status = about && sameOrigin(about, passed.activity.actor) ? await statusOf(ctx, about) : null
  if (about === null || status === null || status.deleted || status.author !== actorId) return
  await passOn(ctx, passed, about, await concerned(ctx, status, false))
}

/** Forwards a Create or Update after the status was stored. */
export const forwardAfter = async (ctx: Context, passed: ReceivedText, actorId: string): Promise<void> => {
  const { type } = passed.activity
  const about = type === 'Create' || type === 'Update' ? aboutOf(passed, ctx.self.ownHosts) : null
  const status = about && (await statusOf(ctx, about))
  if (!about || !status || status.deleted || status.author !== actorId) return
  const accounts = await concerned(ctx, status, type === 'Create')
  const { actor } = passed.activity
  // Forwarding is rate-limited, because one activity may cause thousands of deliveries. Deletes are sent only to
  // servers that have the status.
  if (accounts.length && (await ctx.fetcher.limits.mayForward(actor, hostOf(actor) as string)))
    await passOn(ctx, passed, about, accounts)
}

/** Forwards the Delete of a quote approval. `quoting`: the quoting status. */
export const forwardRevocation = async (ctx: Context, passed: ReceivedText, quoting: StatusRecord): Promise<void> => {
  const about = aboutOf(passed, ctx.self.ownHosts)
  if (about === null) return
  const accounts = await concerned(ctx, quoting, false)
  await passOn(ctx, passed, about, quoting.local ? [quoting.author, ...accounts] : accounts)
}
