/** Activities of a local account about one remote account, such as a Follow, and their Undo: one activity, one inbox. */

import { type OutgoingActivity, writeUndo } from '@murmuration/activitypub/vocabulary/write-activity'
import type { AccountRecord } from '@murmuration/contracts/accounts'
import { recordsOf } from './audience.js'
import { type Publishing, publishTo } from './publish.js'

type SendContext = Publishing & Parameters<typeof recordsOf>[0]

/** A local and a remote account; null if one of them is not that, or no longer exists. */
export const pairOf = async (
  ctx: SendContext,
  ours: string,
  theirs: string,
): Promise<{ our: AccountRecord; their: AccountRecord } | null> => {
  const people = await recordsOf(ctx, [ours, theirs])
  const our = people.get(ours)
  const their = people.get(theirs)
  return our && their && our.domain === null && their.domain !== null ? { our, their } : null
}

type DirectActivity = { actorId: string; seq: string; activity: OutgoingActivity; their: AccountRecord }

/** Sends an activity. `about` is its id, or for an answer the id of the request. */
export const sendActivity = (
  ctx: Publishing,
  { their, activity, ...it }: DirectActivity & { about?: string },
): Promise<boolean> =>
  publishTo(ctx, their, { ...it, activity, uri: activity.id, kind: activity.type, about: it.about ?? activity.id })

/** Sends the Undo of an activity that was sent or would have been. */
export const sendUndo = (ctx: Publishing, { their, activity, ...it }: DirectActivity): Promise<boolean> => {
  const undo = writeUndo(activity)
  return publishTo(ctx, their, { ...it, activity: undo, uri: undo.id, kind: 'Undo', about: activity.id })
}
