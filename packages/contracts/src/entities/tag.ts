/** Schemas of hashtags, in statuses and separately. */
import { z } from 'zod'
import { CountText, Id, Url } from './primitive.js'

/** Usage of a hashtag or link on one day. `day` is midnight UTC in Unix seconds. All values are strings. */
export const UsageDay = z
  .strictObject({ day: CountText, uses: CountText, accounts: CountText })
  .meta({ id: 'UsageDay', description: 'Uses on one day, and the number of accounts.' })
export type UsageDay = z.infer<typeof UsageDay>

/** A hashtag inside a status, announcement or collection. `name` is the normalised lower-case form. */
export const ShallowTag = z
  .strictObject({ name: z.string().min(1), url: Url })
  .meta({ id: 'ShallowTag', description: 'Name and URL of a hashtag.' })
export type ShallowTag = z.infer<typeof ShallowTag>

/** Members of a hashtag. The form of a hashtag for staff adds members to them. */
export const tagShape = {
  /** Id of a stored hashtag; empty for a hashtag that was never used. */
  id: z.union([Id, z.literal('')]),
  name: z.string().min(1),
  url: Url,
  history: z.array(UsageDay).max(7),
  /** Whether the viewer follows the hashtag. Present for authenticated viewers only, like `featuring`. */
  following: z.boolean().optional(),
  featuring: z.boolean().optional(),
}

/** A hashtag. `name` is its display form. `history` contains the last seven days, newest first. */
export const Tag = z
  .strictObject(tagShape)
  .meta({ id: 'Tag', description: 'A hashtag and its use over the last week.' })
export type Tag = z.infer<typeof Tag>
