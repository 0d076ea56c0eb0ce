/** Finds the start of a day in a time zone. */

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000

/** Formats the offset of a time zone, such as `GMT+05:30`; null for UTC and for unknown time zones. */
const offsetFormat = (zone: string | null): Intl.DateTimeFormat | null => {
  if (zone === null) return null
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' })
  } catch {
    return null
  }
}

/** Milliseconds by which a time zone is ahead of UTC at the time `at`. */
const offsetAt = (format: Intl.DateTimeFormat, at: number): number => {
  const name = format.formatToParts(at).find((part) => part.type === 'timeZoneName')?.value ?? ''
  const [, sign, hours = '0', minutes = '0', seconds = '0'] =
    /^GMT([+-])(\d\d?)(?::(\d\d))?(?::(\d\d))?$/.exec(name) ?? []
  const ms = Number(hours) * HOUR_MS + Number(minutes) * MINUTE_MS + Number(seconds) * 1_000
  return sign === '-' ? -ms : ms
}

/**
 * Returns a function that converts the start of a day in UTC to the start of the same day in a time zone, in milliseconds
 * since 1970. Null and unknown time zones mean UTC. A day without midnight starts when the clocks have changed, and a day
 * with two midnights starts at the first one.
 */
export const startOfDayIn = (zone: string | null): ((day: number) => number) => {
  const format = offsetFormat(zone)
  if (format === null) return (day) => day
  return (day) => {
    // The day starts between these two times, so one of their offsets applies at its start.
    const starts = [day - DAY_MS, day + DAY_MS].map((at) => day - offsetAt(format, at))
    const midnights = starts.filter((start) => day - offsetAt(format, start) === start)
    return midnights.length > 0 ? Math.min(...midnights) : Math.max(...starts)
  }
}
