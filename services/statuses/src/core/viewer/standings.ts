/**
 * Relationships of viewers to authors. Relationships are never cached, so that a block applies to the next request.
 * Concurrent requests are batched.
 */
import { type Standing, viewerFacts, viewersFacts } from '@murmuration/contracts/accounts'
import { createBatcher, loadInChunks } from '@murmuration/flow'
import type { BaseContext } from '@murmuration/kernel'

interface Question {
  viewer: string
  authors: readonly string[]
}

/** Returns relationships by author. Unknown accounts are missing. */
export type Standings = (question: Question) => Promise<ReadonlyMap<string, Standing>>

/** Maximum number of questions per request, and of concurrent requests. */
const TOGETHER = { most: 32, concurrency: 4 }
/** Maximum number of authors of a question that is batched. A larger question is sent in a request of its own. */
const FEW = 60

export const createStandings = ({
  call,
}: Pick<BaseContext<typeof viewerFacts | typeof viewersFacts>, 'call'>): Standings => {
  const alone = async (viewer: string, authors: string[]) => {
    const { standings } = await call(viewerFacts, { viewer, authors })
    return new Map(Object.entries(standings))
  }
  const together = createBatcher<Question, ReadonlyMap<string, Standing>>(async (questions) => {
    const asked: Record<string, string[]> = {}
    for (const { viewer, authors } of questions) asked[viewer] = [...new Set([...(asked[viewer] ?? []), ...authors])]
    const { standings } = await call(viewersFacts, { asked })
    const found = new Map(Object.entries(standings).map(([viewer, own]) => [viewer, new Map(Object.entries(own))]))
    return questions.map(({ viewer }) => found.get(viewer) ?? new Map<string, Standing>())
  }, TOGETHER)
  return async ({ viewer, authors }) =>
    authors.length > FEW ? loadInChunks(authors, 1_000, (some) => alone(viewer, some)) : together({ viewer, authors })
}

/** Relationships of the viewer to these accounts. Empty for anonymous viewers. */
export const standingsOf = async (
  ctx: { readonly standings: Standings },
  viewerId: string | null,
  ids: Iterable<string>,
): Promise<ReadonlyMap<string, Standing>> => {
  const authors = [...new Set(ids)].filter((id) => id !== viewerId)
  return viewerId === null || authors.length === 0 ? new Map() : ctx.standings({ viewer: viewerId, authors })
}
