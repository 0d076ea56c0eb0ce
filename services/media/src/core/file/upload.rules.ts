/** Decides which uploads are accepted, by file type, size, and the formats that this machine can process. */
import {
  type ErrorText,
  errorText,
  Failure,
  fail,
  fieldProblem,
  invalidField,
  isRetryable,
} from '@murmuration/contracts/kit'
import { limits } from '@murmuration/contracts/limits'
import type { Size } from '../image/geometry.rules.js'
import type { Refusal } from '../image/image.js'
import type { FileType } from './type.rules.js'

/** Formats that this machine can process, in addition to those that all machines can process. */
export interface SupportedFormats {
  /** True if video and audio can be processed. */
  readonly ffmpeg: boolean
  readonly avif: boolean
}

export const unverified = () => fail('unprocessable', 'File type of uploaded media could not be verified')
const UNDECODABLE = errorText('Error processing thumbnail for uploaded media')
/** Error for a file of a supported type that cannot be decoded. */
export const undecodable = (reason?: ErrorText) =>
  fail(
    'unprocessable',
    reason === undefined
      ? UNDECODABLE
      : errorText('Error processing thumbnail for uploaded media: {reason}', { reason }),
  )
/** Whether the error says only that the file cannot be decoded, without a further reason. */
export const isUndecodable = (error: unknown): boolean => error instanceof Failure && error.text === UNDECODABLE

/** A rejection handler that returns `instead` for a failure that a retry does not change. It throws other errors. */
export const unlessRetryable =
  <T>(instead: T) =>
  (error: unknown): T => {
    if (isRetryable(error)) throw error
    return instead
  }

const MiB = 1_048_576
/** Error for a video, audio file or animation that is too large after its conversion. */
export const tooLargeConverted = () =>
  undecodable(
    errorText('the converted file is not smaller than {most} MB', { most: limits.media.convertedBytes / MiB }),
  )
/** Error for a file that was not processed within `ms` milliseconds. */
export const tooSlow = (ms: number) =>
  undecodable(errorText('the file was not processed within {seconds} seconds', { seconds: Math.round(ms / 1_000) }))

/** Error for a file whose decoder or transcoder was killed in each try. */
export const killedRepeatedly = () =>
  undecodable(errorText('processing was stopped several times, possibly for lack of memory'))

const tooLarge = (field: string, bytes: number) =>
  invalidField(
    fieldProblem(
      field,
      bytes < MiB
        ? errorText('size must be less than {most} KB', { most: bytes / 1_024 })
        : errorText('size must be less than {most} MB', { most: bytes / MiB }),
    ),
  )

const readable = (type: Pick<FileType, 'kind' | 'mediaType'>, can: SupportedFormats): boolean => {
  if (type.kind !== 'image') return can.ffmpeg
  return type.mediaType === 'image/avif' ? can.avif : !/^image\/hei[cf]$/.test(type.mediaType)
}

/** The published media types that this machine can process. */
export const readableTypes = (can: SupportedFormats): string[] =>
  limits.media.mimeTypes.filter((mediaType) =>
    readable({ mediaType, kind: mediaType.startsWith('image/') ? 'image' : 'video' }, can),
  )

/** Returns the type of a file that may become an attachment. Throws an error for the owner otherwise. */
export const checkUpload = (type: FileType | null, size: number, can: SupportedFormats): FileType => {
  if (type === null) throw unverified()
  if (!readable(type, can))
    throw invalidField(errorText('File content type {type} is not supported here', { type: type.mediaType }))
  const max = type.kind === 'image' && !(type.demuxer && can.ffmpeg) ? limits.media.imageBytes : limits.media.videoBytes
  if (size >= max) throw tooLarge('File', max)
  return type
}

/** Error for the owner of a picture that was refused by the decoder. */
export const refusedPicture = (refused: Refusal, size: Size | null, frames = 1) => {
  if (refused === 'unreadable') return unverified()
  if (refused === 'no-still')
    return fail('unprocessable', errorText('Animated AVIF pictures without a still picture are not supported'))
  if (refused === 'broken') return undecodable(errorText('the file is damaged or incomplete'))
  if (refused === 'too-many-pixels')
    return fail(
      'unprocessable',
      errorText('{width}x{height} images are not supported', { width: size?.width ?? 0, height: size?.height ?? 0 }),
    )
  return fail('unprocessable', errorText('Pictures with {frames} frames are not supported', { frames }))
}

const PICTURES = ['image/jpeg', 'image/png', 'image/gif', 'image/webp']

/** Returns the type of a file that may become an avatar, header or cover. Throws otherwise. */
export const checkPicture = (field: string, type: FileType | null, size: number, max: number): FileType => {
  if (type === null || !PICTURES.includes(type.mediaType))
    throw invalidField(
      fieldProblem(field, errorText('content type is not supported: it must be jpeg, png, gif or webp')),
    )
  if (size >= max) throw tooLarge(field, max)
  return type
}

/** Maximum bytes of an uploaded picture, by kind. */
export const PICTURE_BYTES = {
  avatar: limits.accounts.avatarBytes,
  header: limits.accounts.headerBytes,
  emoji: limits.media.emojiBytes,
} as const
/** Maximum bytes of a remote picture, by kind. Remote emoji may be larger than local ones, because their copies are scaled down. */
export const REMOTE_PICTURE_BYTES = {
  avatar: limits.media.imageBytes,
  header: limits.media.imageBytes,
  emoji: 2 * MiB,
} as const
