/** Operation that returns emoji reactions of remote accounts to statuses. */
import { z } from 'zod'
import { RemoteEmoji } from '../content.js'
import { internal, operation } from '../kit/index.js'

/**
 * Emoji of an emoji reaction by a remote account: a text, or a custom emoji with the address of its picture. Its server
 * states it. Neither that the text is an emoji nor that the address has a picture is verified.
 */
export const RemoteReaction = z.object({ name: z.string().max(4_000), emoji: RemoteEmoji.nullable() })
export type RemoteReaction = z.infer<typeof RemoteReaction>

export const emojiReactionsOf = operation('statuses.emoji-reaction.of', {
  viewer: internal(),
  input: z.object({
    /** Pairs of an account and a status to which it may have reacted. */
    pairs: z.array(z.object({ account: z.string(), status: z.string() })).max(1_000),
  }),
  output: z.object({
    reactions: z.array(
      z.object({
        account: z.string(),
        status: z.string(),
        /** A Unicode emoji, or the shortcode of a custom emoji between colons. */
        emoji: z.string(),
        /** Picture of a custom emoji; null for others. */
        url: z.string().nullable(),
      }),
    ),
  }),
  about: 'Emoji with which accounts reacted to statuses; pairs without a reaction are left out.',
})
