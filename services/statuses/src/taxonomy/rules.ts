/** Maps actions of the audit log to kinds of items, and kinds of items to their recorded fields. */

import type { AuditAction } from '@murmuration/contracts/admin'
import { readTime } from '@murmuration/text'
import { z } from 'zod'

const date = () =>
  z
    .string()
    .nullable()
    .transform((text) => (text === null ? null : new Date(readTime(text))))

const trendable = z.boolean().nullable()

export const RECORDED = {
  tag: z.object({
    trendable,
    reviewed_at: date(),
    display: z.string().nullable(),
    usable: z.boolean(),
    listable: z.boolean(),
  }),
  link: z.object({ trendable }),
  status: z.object({ trendable }),
  publisher: z.object({ trendable, reviewed_at: date() }),
}

/**
 * Kind of item that an action is about: `update_tag` and `approve_trend_tag` are about a tag. Null for other actions.
 */
export const kindOf = (action: AuditAction): keyof typeof RECORDED | null => {
  const last = action.slice(action.lastIndexOf('_') + 1)
  return last in RECORDED ? (last as keyof typeof RECORDED) : null
}
