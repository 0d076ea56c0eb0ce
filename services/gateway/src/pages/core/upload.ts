/** Reads forms with files. A form with a file that is too large is shown again, with an error that names the limit. */
import { errorText, type Failure, fail } from '@murmuration/contracts/kit'
import { attempt } from './attempt.js'
import type { PostedFiles } from './csrf.js'
import type { PageRequest } from './page-request.js'
import type { Sessions } from './session.js'

export interface UploadLimits {
  /** Names of the fields with files. Files in other fields are skipped. */
  readonly files: readonly string[]
  /** Maximum number of bytes of each file. */
  readonly bytes: number
}

const KiB = 1_024
const MiB = 1_048_576

/** Error for a file that is larger than `bytes` bytes. */
export const tooLarge = (bytes: number): Failure =>
  fail(
    'too_large',
    bytes < MiB
      ? errorText('File size must be less than {most} KB', { most: bytes / KiB })
      : errorText('File size must be less than {most} MB', { most: bytes / MiB }),
  )

/**
 * Reads a form with files. `problem` is the error message if the form or one of its files is too large, or if the form
 * cannot be read; else null. If the form was not read to its end, `form` is empty.
 */
export const readUpload = async (
  { ctx, req }: Pick<PageRequest, 'ctx' | 'req'>,
  sessions: Pick<Sessions, 'upload'>,
  { files, bytes }: UploadLimits,
): Promise<PostedFiles & { problem: string | null }> => {
  let posted: PostedFiles = { form: {}, files: {} }
  const problem = await attempt(async () => {
    posted = await sessions.upload(req, files, () => tooLarge(bytes))
    const staged = Object.values(posted.files)
    if (staged.every(({ size }) => size <= bytes)) return
    await ctx.staging.delete(staged.map(({ key }) => key)).catch(() => undefined)
    throw tooLarge(bytes)
  })
  return { ...posted, problem }
}
