/** Functions that several event handlers for statuses share. */

import type { OutgoingActivity } from '@murmuration/activitypub/vocabulary/write-activity'
import type { NoteData } from '@murmuration/contracts/statuses'
import { statusUriOf } from '../core/activity/compaction.rules.js'
import type { ReachInput } from './reach.rules.js'

export const reachInputOf = (source: NoteData): ReachInput => ({
  visibility: source.visibility,
  author: source.author,
  mentions: source.held ? source.mentions : source.mention_accounts.map(({ id }) => id),
  inReplyToAuthor: source.in_reply_to_author,
  reblogOfAuthor: source.reblog_of_author,
  quotedAuthor: source.quote?.author ?? null,
})

/** Parameters for `publish` (`publish.ts`) of an activity about a local status. */
export const aboutStatus = (e: { author: string; eventId: string }, source: NoteData, activity: OutgoingActivity) => ({
  actorId: e.author,
  seq: e.eventId,
  activity,
  uri: activity.id,
  kind: activity.type,
  about: statusUriOf(source.uri),
})
