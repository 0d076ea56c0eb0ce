/** Rules of attachments: states, description, and which ones a status may take. */
import { ErrorText, errorText, Failure, fail, invalidField } from '@murmuration/contracts/kit'
import { limits } from '@murmuration/contracts/limits'
import { undecodable } from '../file/upload.rules.js'

/**
 * Local files are `processing`, `done` or `failed`. Remote files are `remote` (not copied yet), `cached`, or `uncached`
 * (never copied).
 */
export type State = 'processing' | 'done' | 'failed' | 'remote' | 'cached' | 'uncached'
export type Type = 'image' | 'gifv' | 'video' | 'audio' | 'unknown'

/** Time limit of processing in milliseconds (15 minutes). After that the attachment fails (F008). */
export const PROCESSING_MS = 15 * 60_000
export const UNATTACHED_MS = limits.media.unattachedSeconds * 1_000
/** Milliseconds (one hour) after which the status of a reserved attachment is checked. No request or job needs so long. */
export const RESERVED_MS = 3_600_000
/** Time in milliseconds (one hour) in which an idempotency key refers to its upload. */
export const KEY_MS = 3_600_000

/** Checks the length of a description in code points, and returns it unchanged. Throws if the description is too long. */
export const checkDescription = (text: string | null | undefined): string | null | undefined => {
  if (text && text.length > limits.media.descriptionCharacters && [...text].length > limits.media.descriptionCharacters)
    throw invalidField(
      errorText('Description is too long (maximum is {most} characters)', { most: limits.media.descriptionCharacters }),
    )
  return text
}

/** HTTP status of an attachment for its owner: 206 while it is processed, else 200. Throws the reason of a failure. */
export const statusOfState = (state: State, failure: string | null = null): 200 | 206 => {
  if (state === 'failed') throw failure === null ? undecodable() : new Failure('unprocessable', new ErrorText(failure))
  return state === 'processing' ? 206 : 200
}

export const inUse = () => fail('unprocessable', 'Media attachment is currently used by a status')

interface Takeable {
  readonly id: string
  readonly status: string | null
  readonly state: State
}

/**
 * The requested attachments that a status may not take.
 *
 * - `missing`: unknown, of another owner, or in another status than `status` or one of `from`.
 * - `unprocessed`: not processed yet, or failed.
 *
 * `rows`: the requested attachments that belong to the owner.
 */
export const refusedOf = (
  rows: readonly Takeable[],
  ids: readonly string[],
  status: string,
  from: readonly string[],
): { missing: string[]; unprocessed: string[] } => {
  const byId = new Map(rows.map((row) => [row.id, row]))
  const holders = [status, ...from]
  const free = (row: Takeable) => row.status === null || holders.includes(row.status)
  return {
    missing: ids.filter((id) => {
      const row = byId.get(id)
      return row === undefined || !free(row)
    }),
    unprocessed: ids.filter((id) => ['processing', 'failed'].includes(byId.get(id)?.state ?? '')),
  }
}
