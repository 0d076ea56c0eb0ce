/** Rules of terms of service: the version that applies on a day. */

interface Dated {
  /** Effective date, such as `2026-01-31`. Lists of versions begin with the latest date. */
  day: string
}

/**
 * The newest terms in effect today, else the announced terms with the earliest date; undefined if there are no terms.
 */
export const termsInForce = <T extends Dated>(all: readonly T[], today: string): T | undefined =>
  all.find(({ day }) => day <= today) ?? all.at(-1)

/** Effective date of the next version of the terms; null if there is no later version. */
export const successorOf = (all: readonly Dated[], day: string): string | null =>
  all.findLast((one) => one.day > day)?.day ?? null
