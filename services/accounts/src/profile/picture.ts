/** Creates avatars and headers of local accounts from uploads. The media service processes the files. */
import { ErrorText, Failure, problemsOf } from '@murmuration/contracts/kit'
import { dropPictures, makePicture, type StagedFile } from '@murmuration/contracts/media'
import type { Context } from '../context.js'
import type { StoredPicture } from '../core/account.store.js'
import { problem, refusalOf } from '../core/problem.rules.js'

/** The problem of a refused picture, without the name of its field. */
const pictureProblem = (failure: Failure): ErrorText => {
  const [text = failure.text] = problemsOf(failure)
  const { problem: end } = text.args
  // A media service of an earlier release sends the error only as English text.
  return end instanceof ErrorText ? end : text.message.startsWith('File ') ? text : withoutField(text)
}
const withoutField = (text: ErrorText): ErrorText =>
  new ErrorText(text.message.replace(/^(?:Avatar|Header) /, ''), text.args)

/**
 * Creates a picture from an upload. Returns undefined without an upload. A file that is no picture causes a validation
 * error of the field `kind`.
 */
export const pictureFrom = async (
  ctx: Pick<Context, 'call'>,
  owner: string,
  kind: 'avatar' | 'header',
  file: StagedFile | null,
): Promise<StoredPicture | undefined> => {
  if (!file) return undefined
  try {
    return await ctx.call(makePicture, { owner, kind, key: file.key })
  } catch (error) {
    if (error instanceof Failure && error.code === 'unprocessable')
      throw refusalOf([problem(kind, 'ERR_INVALID', pictureProblem(error))])
    throw error
  }
}

/** Deletes pictures that a profile no longer shows. The call is not awaited: if it fails, the files only use space. */
export const dropReplaced = (
  ctx: Pick<Context, 'call' | 'log'>,
  owner: string,
  before: readonly (StoredPicture | null)[],
): void => {
  const keys = before.map((picture) => picture?.key).filter((key) => key !== undefined)
  if (keys.length === 0) return
  ctx.call(dropPictures, { owner, keys }).catch((error) => ctx.log.warn({ error }, 'an old picture was not deleted'))
}
