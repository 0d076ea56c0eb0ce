/** A file that the gateway streamed to staging. Upload operations get this description instead of the content. */
import { z } from 'zod'

/**
 * `key`: key in staging. `size`: bytes. `type` and `name` are as the client sent them and must not be trusted. Only keys that
 * the gateway creates are accepted, so that clients cannot refer to other files of the store.
 */
export const StagedFile = z.object({
  key: z.string().regex(/^staging\/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, 'must be an uploaded file'),
  size: z.int().nonnegative(),
  type: z.string(),
  name: z.string(),
})
export type StagedFile = z.infer<typeof StagedFile>

/** An optional uploaded file. An empty field, null and an absent field all mean no file. */
export const stagedFileOrNone = () =>
  z
    .union([z.null(), z.literal('').transform(() => null), StagedFile])
    .optional()
    .transform((file) => file ?? null)
