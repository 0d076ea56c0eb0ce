/** Accept and Reject: the answer to a follow that somebody here asked for. */
import { type AccountRecord, applyRemote } from '@murmuration/contracts/accounts'
import type { Context } from '../context.js'
import { isOurs } from '../domain/authority.js'
import { judgeAnswer } from '../domain/object-authority.js'
import type { ActivityOf } from '../vocabulary/activity.js'
import { readUri, type Uri } from '../vocabulary/uri.js'
import { done, ignored, type Outcome, refused } from './outcome.js'
import { localAccount } from './received.js'

type Answer = ActivityOf<'Accept' | 'Reject'>

/** Ids of our follows begin with the actor who follows. */
const followerIn = (uri: Uri): Uri | null =>
  readUri(/^(https?:\/\/[^/]+\/(?:ap\/users\/\d{1,19}|users\/[\w.-]{1,64}))#follows\/\d{1,19}$/.exec(uri)?.[1])

/** The person here who asked, from the follow that came along or from its id. */
const asker = (ctx: Context, { object, inner, actor }: Answer): { uri: Uri; to: Uri } | null => {
  const { ownHosts } = ctx.self
  if (inner !== null && inner.type === 'Follow') {
    const to = inner.object?.id ?? null
    return inner.actor !== null && to !== null && isOurs(inner.actor, ownHosts) ? { uri: inner.actor, to } : null
  }
  const uri = object.id !== null && isOurs(object.id, ownHosts) ? followerIn(object.id) : null
  // Whom that follow went to is for accounts to know: it finds this very request between the two, or nothing.
  return uri === null ? null : { uri, to: actor }
}

export const answerFollow = async (
  ctx: Context,
  { activity, actor }: { activity: Answer; actor: AccountRecord },
  what: 'accept-follow' | 'reject-follow',
): Promise<Outcome> => {
  if (activity.inner !== null && activity.inner.type !== 'Follow') return ignored('not-an-answer-to-a-follow')
  const asked = asker(ctx, activity)
  const judged = judgeAnswer(activity, asked)
  if (!judged.ok) return refused(judged.reason)
  const person = asked && (await localAccount(ctx, asked.uri))
  if (!person) return refused('never-asked')
  const named = activity.inner === null ? activity.object.id : null
  const { outcome } = await ctx.call(applyRemote, {
    what,
    actor: actor.id,
    target: person.id,
    uri: activity.id,
    ...(named === null ? {} : { request: named }),
  })
  if (outcome === 'refused') return refused('never-asked')
  return done(outcome === 'done' ? null : outcome)
}
