/** Rules of attachments: who may still change one, what its state answers, which ones a status may take. */
import { fail, invalidField } from '@murmuration/contracts/kit'
import { limits } from '@murmuration/contracts/limits'
import { undecodable } from './upload.rules.js'

/** Local files are processed here; remote ones are copied, or only named by their address (`uncached`). */
export type State = 'processing' | 'done' | 'failed' | 'remote' | 'cached' | 'uncached'
export type Type = 'image' | 'gifv' | 'video' | 'audio' | 'unknown'

/** After this, whoever processes a file is thought dead and the file failed (F008). */
export const PROCESSING_MS = 15 * 60_000
export const UNATTACHED_MS = limits.media.unattachedSeconds * 1_000
/** An idempotency key stands for one upload this long. */
export const KEY_MS = 3_600_000

/** A description as it is stored; its length is counted in characters, not in UTF-16 units. */
export const checkDescription = (text: string | null | undefined): string | null | undefined => {
  if (text && text.length > limits.media.descriptionCharacters && [...text].length > limits.media.descriptionCharacters)
    throw invalidField(`Description is too long (maximum is ${limits.media.descriptionCharacters} characters)`)
  return text
}

/** HTTP status of an attachment that its owner looks at. Throws the reason of a failure. */
export const statusOfState = (state: State, failure: string | null = null): 200 | 206 => {
  if (state === 'failed') throw failure === null ? undecodable() : fail('unprocessable', failure)
  return state === 'processing' ? 206 : 200
}

export const inUse = () => fail('unprocessable', 'Media attachment is currently used by a status')

interface Takeable {
  readonly id: string
  readonly status: string | null
  readonly state: State
}

/**
 * Which of the asked attachments a status may not take: unknown, foreign or held by another one (`missing`), and those
 * that are not ready (`unprocessed`). `rows` are those of the asking person.
 */
export const refusedOf = (
  rows: readonly Takeable[],
  asked: readonly string[],
  status: string,
  from: string | undefined,
): { missing: string[]; unprocessed: string[] } => {
  const byId = new Map(rows.map((row) => [row.id, row]))
  const free = (row: Takeable) => row.status === null || row.status === status || row.status === from
  return {
    missing: asked.filter((id) => {
      const row = byId.get(id)
      return row === undefined || !free(row)
    }),
    unprocessed: asked.filter((id) => ['processing', 'failed'].includes(byId.get(id)?.state ?? '')),
  }
}
