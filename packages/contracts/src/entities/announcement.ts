/** Schemas of announcements of the server and the emoji reactions to them. */
import { z } from 'zod'
import { CustomEmoji } from './custom-emoji.js'
import { Count, Html, Id, Timestamp, Url } from './primitive.js'
import { Mention, Status } from './status.js'
import { ShallowTag } from './tag.js'

const reactionShape = {
  name: z.string().min(1),
  count: Count,
  /** URL of the picture of a custom emoji, like `static_url`. Absent for Unicode emoji. */
  url: Url.optional(),
  static_url: Url.optional(),
}

/** A reaction to an announcement. `me` is absent in payloads that are not rendered for one viewer. */
export const Reaction = z
  .strictObject({ ...reactionShape, me: z.boolean().optional() })
  .meta({ id: 'Reaction', description: 'An emoji with the number of reactions.' })
export type Reaction = z.infer<typeof Reaction>

/**
 * An announcement. `starts_at` and `ends_at` are both set or both null. `read` is absent in payloads that are not
 * rendered for one viewer.
 */
export const Announcement = z
  .strictObject({
    id: Id,
    content: Html,
    starts_at: Timestamp.nullable(),
    ends_at: Timestamp.nullable(),
    all_day: z.boolean(),
    published_at: Timestamp,
    updated_at: Timestamp,
    read: z.boolean().optional(),
    mentions: z.array(Mention),
    statuses: z.array(Status),
    tags: z.array(ShallowTag),
    emojis: z.array(CustomEmoji),
    reactions: z.array(Reaction).max(8),
  })
  .meta({ id: 'Announcement', description: 'A message from staff to all local users.' })
export type Announcement = z.infer<typeof Announcement>

/** Event of the streaming API: the changed count of one reaction to an announcement. It is zero after the last reaction was removed. */
export const AnnouncementReactionEvent = z
  .strictObject({ ...reactionShape, announcement_id: Id })
  .meta({ id: 'AnnouncementReactionEvent', description: 'A reaction count that changed.' })
export type AnnouncementReactionEvent = z.infer<typeof AnnouncementReactionEvent>
