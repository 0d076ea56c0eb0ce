/** Publishes activities of a local account about one remote account, such as a Follow, and their Undo, to the inbox of that account. */

import { type OutgoingActivity, writeUndo } from '@murmuration/activitypub/vocabulary/write-activity'
import type { AccountRecord } from '@murmuration/contracts/accounts'
import { recordsOf } from './audience.js'
import { type Publishing, publishTo } from './publish.js'

type SendContext = Publishing & Parameters<typeof recordsOf>[0]

/**
 * The accounts with these two ids. Null unless both accounts exist, the first account is local, and the second account
 * is remote.
 */
export const pairOf = async (
  ctx: SendContext,
  ours: string,
  theirs: string,
): Promise<{ our: AccountRecord; their: AccountRecord } | null> => {
  const accounts = await recordsOf(ctx, [ours, theirs])
  const our = accounts.get(ours)
  const their = accounts.get(theirs)
  return our && their && our.domain === null && their.domain !== null ? { our, their } : null
}

type DirectActivity = { actorId: string; seq: string; activity: OutgoingActivity; their: AccountRecord }

/**
 * Publishes an activity of a local account to one remote account. `about`: the id of the activity (the default); for an
 * Accept or Reject, the id of the request.
 */
export const sendActivity = (
  ctx: Publishing,
  { their, activity, ...it }: DirectActivity & { about?: string },
): Promise<boolean> =>
  publishTo(ctx, their, { ...it, activity, uri: activity.id, kind: activity.type, about: it.about ?? activity.id })

/** Publishes the Undo of an activity, even if the activity was not sent yet. */
export const sendUndo = (ctx: Publishing, { their, activity, ...it }: DirectActivity): Promise<boolean> => {
  const undo = writeUndo(activity)
  return publishTo(ctx, their, { ...it, activity: undo, uri: undo.id, kind: 'Undo', about: activity.id })
}
