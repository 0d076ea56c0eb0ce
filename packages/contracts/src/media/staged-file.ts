/** A file that the edge streamed to staging: what an upload operation gets in place of the bytes. */
import { z } from 'zod'

/**
 * `key` is where the bytes wait; `size` in bytes. `type` and `name` are what the client said and decide nothing. Only keys that
 * the edge makes are let through, so that nobody can name another file of the store.
 */
export const StagedFile = z.object({
  key: z.string().regex(/^staging\/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, 'must be an uploaded file'),
  size: z.int().nonnegative(),
  type: z.string(),
  name: z.string(),
})
export type StagedFile = z.infer<typeof StagedFile>

/** A file that may be left out; an empty field, null and no field all mean none. */
export const stagedFileOrNone = () =>
  z
    .union([z.null(), z.literal('').transform(() => null), StagedFile])
    .optional()
    .transform((file) => file ?? null)
