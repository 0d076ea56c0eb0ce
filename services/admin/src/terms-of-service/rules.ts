/** Terms of service: which of several hold on a day. */

interface Dated {
  /** `2026-01-31`; the newest stands first in a list. */
  day: string
}

/** The newest that hold today, or else the next that will; undefined when there are none. */
export const termsInForce = <T extends Dated>(all: readonly T[], today: string): T | undefined =>
  all.find(({ day }) => day <= today) ?? all.at(-1)

/** The day of the terms that come after these. */
export const successorOf = (all: readonly Dated[], day: string): string | null =>
  all.findLast((one) => one.day > day)?.day ?? null
