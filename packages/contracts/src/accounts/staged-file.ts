/** An uploaded file as the edge hands it on: stored in staging, named by its key. */
import { z } from 'zod'

/** `size` in bytes; `type` and `name` are what the client claimed. */
export const StagedFile = z.object({ key: z.string(), size: z.int(), type: z.string(), name: z.string() })
export type StagedFile = z.infer<typeof StagedFile>

/** A file field: a staged file, or nothing for whatever else clients put there, such as an empty text. */
export const stagedFile = () =>
  z
    .unknown()
    .optional()
    .transform((value) => {
      const parsed = StagedFile.safeParse(value)
      return parsed.success ? parsed.data : undefined
    })
