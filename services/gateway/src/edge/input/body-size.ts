/** Limits of request bodies in bytes and milliseconds. The gateway knows them before it reads the first byte (D034). */
import type { AnyOperation } from '@murmuration/contracts/kit'

const KiB = 1_024

/**
 * Maximum number of bytes of one file (99 MiB, the limit of video and audio). The media service checks the smaller
 * limits of other kinds.
 */
export const MAX_FILE = 103_809_024
/** Maximum number of files of one request. */
export const MAX_FILES = 4
/** Maximum number of bytes of all fields of a form that carries files. */
export const MAX_FIELDS = 256 * KiB
/** Maximum number of bytes of one picture in a `data:` field, decoded. */
export const MAX_INLINE = 8 * KiB * KiB
/** Maximum number of bytes of a body with two pictures (avatar and header) in `data:` fields as base64, and its other fields. */
export const MAX_INLINE_BODY = Math.ceil((2 * MAX_INLINE * 4) / 3) + MAX_FIELDS
/** Maximum number of bytes of a form of the web pages. */
export const MAX_PAGE_FORM = 64 * KiB
/**
 * Maximum number of bytes of a form with files of the web pages. It is above the limits of most files, so that a form with
 * a file over its limit is read, and shown again with its texts.
 */
export const MAX_PAGE_UPLOAD = MAX_FILE + 2 * MAX_FIELDS
/** Maximum number of bytes of a form of signed-in staff. Higher, because terms and policies are long. */
export const MAX_STAFF_FORM = 512 * KiB

/** Milliseconds within which a whole body must arrive (F072). Uploads have `UPLOAD_MS` instead. */
export const BODY_MS = 8_000
export const UPLOAD_MS = 120_000

/** Maximum number of bytes of a request body for this operation, without files. */
export const bodyCap = (operation: AnyOperation): number =>
  operation.rawBody > 0 ? operation.rawBody : operation.class === 'admin' ? 1_024 * KiB : MAX_FIELDS
