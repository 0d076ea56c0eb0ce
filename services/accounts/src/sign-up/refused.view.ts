/** Renders refused sign-ups of seven days, as staff see them. */
import type { UsageDay } from '@murmuration/contracts/entities'
import type { RefusedDay } from './refused.store.js'

const DAY = 86_400

/** Refused sign-ups of one e-mail domain in the last seven days, newest day first. Days without attempts have zeros. */
export const weekOf = (domain: string, rows: readonly RefusedDay[], now: number): UsageDay[] => {
  const today = Math.floor(now / 1_000 / DAY) * DAY
  return Array.from({ length: 7 }, (_, i) => {
    const day = today - i * DAY
    const found = rows.find((row) => row.domain === domain && row.day === day)
    return { day: String(day), uses: String(found?.uses ?? 0), accounts: String(found?.networks ?? 0) }
  })
}
