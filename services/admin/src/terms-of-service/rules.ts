/** Rules of terms of service: the version that applies on a day. */

interface Dated {
  /** Effective date, such as `2026-01-31`. Lists begin with the newest. */
  day: string
}

/** The newest terms in effect today, or else the first announced ones; undefined without any. */
export const termsInForce = <T extends Dated>(all: readonly T[], today: string): T | undefined =>
  all.find(({ day }) => day <= today) ?? all.at(-1)

/** Effective date of the next version; null without one. */
export const successorOf = (all: readonly Dated[], day: string): string | null =>
  all.findLast((one) => one.day > day)?.day ?? null
