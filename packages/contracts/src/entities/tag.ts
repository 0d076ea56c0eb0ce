/** Hashtags, in statuses and on their own. */
import { z } from 'zod'
import { CountText, Id, Url } from './primitive.js'

/** One day of a tag's or link's life; `day` is unix seconds at midnight UTC. All values are strings. */
export const UsageDay = z
  .strictObject({ day: CountText, uses: CountText, accounts: CountText })
  .meta({ id: 'UsageDay', description: 'How often something was used on one day, and by how many accounts.' })
export type UsageDay = z.infer<typeof UsageDay>

/** A tag inside a status, announcement or collection; `name` is the normalised lower-case form there. */
export const ShallowTag = z
  .strictObject({ name: z.string().min(1), url: Url })
  .meta({ id: 'ShallowTag', description: 'Name and address of a hashtag.' })
export type ShallowTag = z.infer<typeof ShallowTag>

/** Keys of a tag, for the admin form that adds to it. */
export const tagShape = {
  /** Empty for a tag nobody has used yet. */
  id: z.union([Id, z.literal('')]),
  name: z.string().min(1),
  url: Url,
  history: z.array(UsageDay).max(7),
  /** Signed-in viewers only, like `featuring`. */
  following: z.boolean().optional(),
  featuring: z.boolean().optional(),
}

/** `name` is the form to show; `history` holds the last seven days, newest first. */
export const Tag = z
  .strictObject(tagShape)
  .meta({ id: 'Tag', description: 'A hashtag and its use over the last week.' })
export type Tag = z.infer<typeof Tag>
