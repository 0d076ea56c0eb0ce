/** Rules of scheduled statuses: minimum delay, and maximum number in all and per day. */

import { errorText, fail, invalidField } from '@murmuration/contracts/kit'
import { limits } from '@murmuration/contracts/limits'
import { readTime } from '@murmuration/text'

/** Scheduled times must be before this one, because years in API responses have four digits. */
const END = Date.UTC(10_000, 0, 1)

/**
 * Parses the time of a scheduled status. Null for a past time, which means now. Throws 422 if the time is invalid or
 * too near, or if its year has more than four digits.
 */
export const readSchedule = (given: string, now: number): Date | null => {
  const at = readTime(given)
  if (Number.isNaN(at) || at >= END) throw fail('unprocessable', 'Record invalid')
  if (at <= now) return null
  if (at - now <= limits.statuses.minScheduleSeconds * 1_000)
    throw invalidField('Scheduled at date must be in the future')
  return new Date(at)
}

/** Throws 422 if the account has the maximum number of scheduled statuses, in all or on that day. */
export const checkScheduled = (waiting: { all: number; thatDay: number }): void => {
  const { maxScheduled, maxScheduledPerDay } = limits.statuses
  if (waiting.all >= maxScheduled)
    throw invalidField(errorText('You have exceeded the limit of {most} scheduled posts', { most: maxScheduled }))
  if (waiting.thatDay >= maxScheduledPerDay)
    throw invalidField(
      errorText('You have exceeded the limit of {most} scheduled posts for today', { most: maxScheduledPerDay }),
    )
}
