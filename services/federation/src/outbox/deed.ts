/** What a person of ours does to one person elsewhere, and taking it back: one activity, one inbox. */

import { type OutgoingActivity, writeUndo } from '@murmuration/activitypub/vocabulary/write-activity'
import type { AccountRecord } from '@murmuration/contracts/accounts'
import { recordsOf } from './audience.js'
import { type Publishing, publishTo } from './publish.js'

type Deeds = Publishing & Parameters<typeof recordsOf>[0]

/** Somebody of ours and somebody elsewhere; null when one of them is not that, or is not known any more. */
export const pairOf = async (
  ctx: Deeds,
  ours: string,
  theirs: string,
): Promise<{ our: AccountRecord; their: AccountRecord } | null> => {
  const people = await recordsOf(ctx, [ours, theirs])
  const our = people.get(ours)
  const their = people.get(theirs)
  return our && their && our.domain === null && their.domain !== null ? { our, their } : null
}

type Deed = { actorId: string; seq: string; activity: OutgoingActivity; their: AccountRecord }

/** Tells a deed. `about` is the deed itself unless it answers something. */
export const tellDeed = (ctx: Publishing, { their, activity, ...it }: Deed & { about?: string }): Promise<boolean> =>
  publishTo(ctx, their, { ...it, activity, uri: activity.id, kind: activity.type, about: it.about ?? activity.id })

/** Takes a deed back, as it was told or would have been. */
export const takeBack = (ctx: Publishing, { their, activity, ...it }: Deed): Promise<boolean> => {
  const undo = writeUndo(activity)
  return publishTo(ctx, their, { ...it, activity: undo, uri: undo.id, kind: 'Undo', about: activity.id })
}
