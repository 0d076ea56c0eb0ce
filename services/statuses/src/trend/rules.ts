/** Rules of trend scores: how much more than usual something is used, and how the score decays. */

export const TREND_KINDS = ['tag', 'link', 'status'] as const
export type TrendKind = (typeof TREND_KINDS)[number]

const HOUR_MS = 3_600_000
/** Milliseconds for which the highest score of a tag or link is kept as the start of its decay. */
const TOP_KEPT_MS = 48 * HOUR_MS

interface Fading {
  halfLifeMs: number
  /** Minimum score with which an item is listed as a trend. */
  least: number
}
const FADING: Record<TrendKind, Fading> = {
  tag: { halfLifeMs: 4 * HOUR_MS, least: 1 },
  link: { halfLifeMs: 8 * HOUR_MS, least: 1 },
  status: { halfLifeMs: HOUR_MS, least: 0.3 },
}

/**
 * Minimum number of accounts that use a tag on a day, and of favourites and boosts of a status, before it can trend.
 */
export const MIN_TAG_ACCOUNTS = 5
export const MIN_STATUS_MARKS = 5
/** Maximum age of a trending status in milliseconds. Scores of older ones have decayed. */
export const STATUS_TRENDS_MS = 48 * HOUR_MS

/**
 * Surprise of `observed` uses when `expected` is usual: the squared difference by `expected`. Zero if `observed` is not
 * more than `expected`, or is below `least`.
 */
export const surprise = (observed: number, expected: number, least: number): number =>
  observed < least || expected > observed ? 0 : (observed - expected) ** 2 / expected

const faded = (kind: TrendKind, score: number, ageMs: number): number => {
  const { halfLifeMs, least } = FADING[kind]
  const left = score * 0.5 ** (Math.max(ageMs, 0) / halfLifeMs)
  return left < least ? 0 : left
}

export interface Top {
  score: number
  /** Time at which the score was reached, in milliseconds since 1970. */
  at: number
}

/** Numbers of accounts that used a tag or link today and yesterday, and the highest score of the tag or link so far. */
export interface Usage {
  today: number
  yesterday: number
  top: Top | null
}

/**
 * Current score of a tag or link, and the highest score that it decays from. Null if the tag or link has neither score.
 */
export const scoreUsage = (
  kind: 'tag' | 'link',
  { today, yesterday, top }: Usage,
  least: number,
  now: number,
): { score: number; top: Top } | null => {
  const fresh = surprise(today, Math.max(yesterday, 1), least)
  const held = top !== null && now - top.at < TOP_KEPT_MS ? top : null
  const best = held !== null && held.score >= fresh ? held : fresh > 0 ? { score: fresh, at: now } : null
  return best && { score: faded(kind, best.score, now - best.at), top: best }
}

/**
 * Score of a status by the sum of its favourites and boosts, which decays with its age; 0 if the status does not trend.
 */
export const scoreStatus = (marks: number, createdAt: number, now: number): number =>
  faded('status', surprise(marks, 1, MIN_STATUS_MARKS), now - createdAt)

/** Languages that are listed first: those that the viewer chose, else that of the request. */
export const preferredLanguages = (chosen: readonly string[] | null, locale: string): string[] => {
  if (chosen !== null && chosen.length > 0) return [...chosen]
  const base = locale.split(/[-_]/)[0] ?? ''
  return [...new Set([locale, base])].filter(Boolean)
}

/** Offsets of the next and the previous page of trends, for the `Link` header. */
export const adjacentOffsets = (
  page: { limit: number; offset: number },
  found: number,
): { next: number | null; prev: number | null } => ({
  next: page.limit > 0 && found >= page.limit ? page.offset + page.limit : null,
  prev: page.offset > page.limit ? page.offset - page.limit : null,
})
