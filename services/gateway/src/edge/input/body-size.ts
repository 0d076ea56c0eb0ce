/** How much of a body is read, and for how long; known before its first byte (D034). */
import type { AnyOperation } from '@murmuration/contracts/kit'

const KiB = 1_024

/** Most bytes of one file: video and audio have the largest limit; media checks the kind's own. */
export const MAX_FILE = 103_809_024
/** Most files of one request. */
export const MAX_FILES = 4
/** Most bytes of all fields of a form that carries files. */
export const MAX_FIELDS = 256 * KiB
/** Most bytes of one picture that stands in a field, decoded; and of a body with two of them, as base64. */
export const MAX_INLINE = 8 * KiB * KiB
export const MAX_INLINE_BODY = Math.ceil((2 * MAX_INLINE * 4) / 3) + MAX_FIELDS
/** Most bytes of a form of our own pages. */
export const MAX_PAGE_FORM = 64 * KiB
/** The same for signed-in staff, who write terms and policies. */
export const MAX_STAFF_FORM = 512 * KiB

/** Whole bodies arrive within this time (F072); uploads have theirs. */
export const BODY_MS = 8_000
export const UPLOAD_MS = 120_000

/** Most bytes of a body of this operation, files not counted. */
export const bodyCap = (operation: AnyOperation): number =>
  operation.rawBody > 0 ? operation.rawBody : operation.class === 'admin' ? 1_024 * KiB : MAX_FIELDS
