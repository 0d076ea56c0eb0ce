/** How viewers stand to others. Never cached, so that a block holds on the next request; asked together at one moment. */
import { type Standing, viewerFacts, viewersFacts } from '@murmuration/contracts/accounts'
import { type BaseContext, createBatches } from '@murmuration/kernel'
import { inBatches } from '../batches.js'

interface Question {
  viewer: string
  authors: readonly string[]
}

/** By author; who does not exist is absent. */
export type Standings = (question: Question) => Promise<ReadonlyMap<string, Standing>>

/** Questions of one request, and requests at once. */
const TOGETHER = { most: 32, lanes: 4 }
/** Authors of one question that goes together with others; more of them are asked for alone. */
const FEW = 60

export const createStandings = ({
  call,
}: Pick<BaseContext<typeof viewerFacts | typeof viewersFacts>, 'call'>): Standings => {
  const alone = async (viewer: string, authors: string[]) => {
    const { standings } = await call(viewerFacts, { viewer, authors })
    return new Map(Object.entries(standings))
  }
  const together = createBatches<Question, ReadonlyMap<string, Standing>>(async (questions) => {
    const asked: Record<string, string[]> = {}
    for (const { viewer, authors } of questions) asked[viewer] = [...new Set([...(asked[viewer] ?? []), ...authors])]
    const { standings } = await call(viewersFacts, { asked })
    const found = new Map(Object.entries(standings).map(([viewer, own]) => [viewer, new Map(Object.entries(own))]))
    return questions.map(({ viewer }) => found.get(viewer) ?? new Map<string, Standing>())
  }, TOGETHER)
  return async ({ viewer, authors }) =>
    authors.length > FEW ? inBatches(authors, 1_000, (some) => alone(viewer, some)) : together({ viewer, authors })
}

/** How the viewer stands to these accounts. */
export const standingsOf = async (
  ctx: { readonly standings: Standings },
  viewerId: string | null,
  ids: Iterable<string>,
): Promise<ReadonlyMap<string, Standing>> => {
  const authors = [...new Set(ids)].filter((id) => id !== viewerId)
  return viewerId === null || authors.length === 0 ? new Map() : ctx.standings({ viewer: viewerId, authors })
}
