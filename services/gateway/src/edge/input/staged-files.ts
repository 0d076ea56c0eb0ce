/** Deletes files from staging that no operation uses. */
import type { RpcResponse } from '@murmuration/bus'
import { type ErrorCode, isRetryable, meaningOf } from '@murmuration/contracts/kit'
import type { StagedFile, Staging } from './multipart.js'

/**
 * Calls `serve`, and afterwards deletes files of the request from staging.
 *
 * | Outcome | Deleted |
 * |---|---|
 * | success | files in lists, because the owning service needs them only until it responds |
 * | final refusal | all files |
 * | retryable refusal or unknown outcome | files in lists; the media service deletes the other files when they are old |
 */
export const withStagedFiles = async (
  staging: Staging,
  files: Readonly<Record<string, StagedFile>>,
  serve: () => Promise<RpcResponse>,
): Promise<void> => {
  const all = Object.entries(files)
  let isRefused = true
  try {
    const { code } = (await serve()).meta
    isRefused = code !== null && !meaningOf(code as ErrorCode).retry
  } catch (error) {
    isRefused = !isRetryable(error)
    throw error
  } finally {
    // In `files`, a file of a list has its staging key as name.
    const unused = isRefused ? all : all.filter(([name, file]) => name === file.key)
    if (unused.length) await staging.delete(unused.map(([, file]) => file.key)).catch(() => undefined)
  }
}
