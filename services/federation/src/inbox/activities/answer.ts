/** Accept and Reject of a follow by a local account. */

import type { ActivityOf } from '@murmuration/activitypub/vocabulary/activity'
import { readUri, type Uri } from '@murmuration/activitypub/vocabulary/uri'
import { type AccountRecord, applyRemote } from '@murmuration/contracts/accounts'
import type { Context } from '../../context.js'
import { isOurs } from '../../core/authority.rules.js'
import { judgeAnswer } from '../object-authority.rules.js'
import { done, ignored, type Outcome, refused } from './outcome.js'
import { localAccount } from './received.js'

type Answer = ActivityOf<'Accept' | 'Reject'>

/** Ids of our follows begin with the actor who follows. */
const followerIn = (uri: Uri): Uri | null =>
  readUri(/^(https?:\/\/[^/]+\/(?:ap\/users\/\d{1,19}|users\/[\w.-]{1,64}))#follows\/\d{1,19}$/.exec(uri)?.[1])

/** The accepted or rejected follow, by its id here; null without an id, or with one of another server. */
const requestIn = (ctx: Context, { object: { id } }: Answer): Uri | null =>
  id !== null && isOurs(id, ctx.self.ownHosts) && followerIn(id) !== null ? id : null

/** The local follower, from the copy of the follow or else from the id of the follow. */
const asker = (ctx: Context, { inner, actor }: Answer, request: Uri | null): { uri: Uri; to: Uri } | null => {
  const uri = inner?.actor ?? (request && followerIn(request))
  if (uri === null || !isOurs(uri, ctx.self.ownHosts)) return null
  // Accounts knows the target of the follow: it finds this request between the two accounts, or nothing.
  return { uri, to: inner?.object?.id ?? actor }
}

export const answerFollow = async (
  ctx: Context,
  { activity, actor }: { activity: Answer; actor: AccountRecord },
  what: 'accept-follow' | 'reject-follow',
): Promise<Outcome> => {
  if (activity.inner !== null && activity.inner.type !== 'Follow') return ignored('not-an-answer-to-a-follow')
  const request = requestIn(ctx, activity)
  const asked = asker(ctx, activity, request)
  const judged = judgeAnswer(activity, asked)
  if (!judged.ok) return refused(judged.reason)
  const person = asked && (await localAccount(ctx, asked.uri))
  if (!person) return refused('never-asked')
  const { outcome } = await ctx.call(applyRemote, {
    what,
    actor: actor.id,
    target: person.id,
    uri: activity.id,
    // The Accept or Reject of an earlier request decides nothing about a newer one.
    ...(request === null ? {} : { request }),
  })
  if (outcome === 'refused') return refused('never-asked')
  return done(outcome === 'done' ? null : outcome)
}
