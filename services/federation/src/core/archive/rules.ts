/**
 * Rules of archives (data exports of an account): interval between requests, expiry, and paths of files inside an
 * archive.
 */
import { limits } from '@murmuration/contracts/limits'

const { archiveEverySeconds, archiveKeptSeconds } = limits.accounts

export interface RequestedArchive {
  state: 'waiting' | 'ready' | 'failed'
  created_at: Date
}

/**
 * Time from which an account may request its next archive; null if it may request one now. Failed archives are ignored.
 */
export const nextArchiveAt = (archives: readonly RequestedArchive[], now: number): Date | null => {
  const last = Math.max(0, ...archives.filter((one) => one.state !== 'failed').map((one) => one.created_at.getTime()))
  const next = last + archiveEverySeconds * 1_000
  return last > 0 && next > now ? new Date(next) : null
}

export const expiryOf = (createdAt: Date): Date => new Date(createdAt.getTime() + archiveKeptSeconds * 1_000)

/** Archives that were created before the returned time are expired. */
export const oldestKept = (now: number): Date => new Date(now - archiveKeptSeconds * 1_000)

/** Whether the account of an archive was deleted. The creation time is then the epoch, so that the tick deletes the archive. */
export const isAged = ({ created_at }: Pick<RequestedArchive, 'created_at'>): boolean => created_at.getTime() === 0

/** Blob key of a file with this address; null if the address begins with none of `bases`. `bases`: URL prefixes of local files. */
export const keyOfAddress = (address: string, bases: readonly string[]): string | null => {
  const base = bases.find((one) => address.startsWith(one))
  const key = base === undefined ? '' : address.slice(base.length)
  return /^(?:media|avatars|headers)\/[\w/.-]{1,180}$/.test(key) && !key.includes('..') ? key : null
}

/** Path inside the archive of the file with this blob key. */
export const pathInArchive = (key: string): string =>
  key.startsWith('media/') ? `media_attachments/files/${key.slice('media/'.length)}` : key.replaceAll('/', '-')
