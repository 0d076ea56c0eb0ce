/** Address of one version of a remote picture. */
import { readTime } from '@murmuration/text'

/**
 * The URL of a picture with the time of its last change as fragment, so that each version has its own URL.
 * Fragments are not sent to servers. An invalid time leaves the URL unchanged.
 */
export const datedAddress = (address: string, updated: string | null): string => {
  const time = updated === null ? Number.NaN : readTime(updated)
  return Number.isNaN(time) ? address : `${address}#${time}`
}
