/** Schema of emoji reactions to a status, in the form of Pleroma, Akkoma and Fedibird. */
import { z } from 'zod'
import { Count, Id, Url } from './primitive.js'

/** An emoji with the accounts that reacted with it. `url`, `static_url` and `domain` are present for custom emoji. */
export const EmojiReaction = z
  .strictObject({
    /** A Unicode emoji, or the shortcode of a custom emoji without colons. */
    name: z.string().min(1),
    count: Count,
    me: z.boolean(),
    url: Url.optional(),
    static_url: Url.optional(),
    domain: z.string().nullable().optional(),
    account_ids: z.array(Id),
  })
  .meta({ id: 'EmojiReaction', description: 'An emoji with which accounts reacted to a status.' })
export type EmojiReaction = z.infer<typeof EmojiReaction>
