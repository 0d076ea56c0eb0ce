/** Creates avatars and headers of local accounts from uploads, and releases them. The media service processes the files. */
import { localPicturesReplaced } from '@murmuration/contracts/accounts'
import { ErrorText, Failure, problemsOf } from '@murmuration/contracts/kit'
import { makePicture, type StagedFile } from '@murmuration/contracts/media'
import type { Tx } from '@murmuration/db'
import type { Context } from '../context.js'
import type { StoredPicture } from '../core/account/store.js'
import { problem, refusalOf } from '../core/problem.rules.js'
import { lockPictures } from './store.js'

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

/**
 * Announces the pictures that the profile does not show, so that media deletes them. The event is in the transaction of
 * the change, because an old picture must not stay public.
 */
export const releasePictures = async (
  ctx: Pick<Context, 'announce'>,
  tx: Tx,
  owner: string,
  pictures: readonly (StoredPicture | null | undefined)[],
): Promise<void> => {
  const created = pictures.flatMap((picture) => picture?.key ?? [])
  if (created.length === 0) return
  const shown = await lockPictures(tx, owner)
  const keys = created.filter((key) => !shown.some((picture) => picture.key === key))
  if (keys.length > 0) await ctx.announce(tx, localPicturesReplaced, { owner, keys })
}
