/** When a status may wait for: parsed, and refused when it is too near or there are too many (limits 1). */
import { fail, invalidField } from '@murmuration/contracts/kit'
import { limits } from '@murmuration/contracts/limits'

/** The time as sent; null for one that is over, which means now. */
export const readSchedule = (given: string, now: number): Date | null => {
  const at = Date.parse(given)
  if (Number.isNaN(at)) throw fail('unprocessable', 'Record invalid')
  if (at <= now) return null
  if (at - now <= limits.statuses.minScheduleSeconds * 1_000)
    throw invalidField('Scheduled at date must be in the future')
  return new Date(at)
}

/** Refuses one more than may wait, in all or on that day. */
export const checkScheduled = (waiting: { all: number; thatDay: number }): void => {
  const { maxScheduled, maxScheduledPerDay } = limits.statuses
  if (waiting.all >= maxScheduled) throw invalidField(`You have exceeded the limit of ${maxScheduled} scheduled posts`)
  if (waiting.thatDay >= maxScheduledPerDay)
    throw invalidField(`You have exceeded the limit of ${maxScheduledPerDay} scheduled posts for today`)
}
