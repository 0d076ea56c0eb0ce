/**
 * Loads the relationships of viewers to authors. Relationships are never cached, so that a block applies to the next
 * request. Concurrent requests are batched.
 */

import {
  type AccountRelationship,
  listRelationshipsOfViewers,
  listViewerRelationships,
} from '@murmuration/contracts/accounts'
import { olderNames } from '@murmuration/contracts/kit'
import { createBatcher, loadInChunks } from '@murmuration/flow'
import type { BaseContext } from '@murmuration/kernel'

interface Question {
  viewer: string
  authors: readonly string[]
}

/** Returns relationships by author. Unknown accounts are missing. */
export type Relationships = (question: Question) => Promise<ReadonlyMap<string, AccountRelationship>>

/**
 * A question asks for the relationships of one viewer to several authors. `max` questions share a request, and
 * `concurrency` requests run at the same time.
 */
const TOGETHER = { max: 32, concurrency: 4 }
/**
 * Maximum number of authors in a question that shares a request with others. A larger question is sent in a request of
 * its own.
 */
const FEW = 60

export const createRelationships = ({
  call,
}: Pick<BaseContext<typeof listViewerRelationships | typeof listRelationshipsOfViewers>, 'call'>): Relationships => {
  const alone = async (viewer: string, authors: string[]) => {
    const { [olderNames.relationships]: relationships } = await call(listViewerRelationships, { viewer, authors })
    return new Map(Object.entries(relationships))
  }
  const together = createBatcher<Question, ReadonlyMap<string, AccountRelationship>>(async (questions) => {
    const targetsByViewer: Record<string, string[]> = {}
    for (const { viewer, authors } of questions)
      targetsByViewer[viewer] = [...new Set([...(targetsByViewer[viewer] ?? []), ...authors])]
    const { [olderNames.relationships]: relationships } = await call(listRelationshipsOfViewers, {
      asked: targetsByViewer,
    })
    const found = new Map(Object.entries(relationships).map(([viewer, own]) => [viewer, new Map(Object.entries(own))]))
    return questions.map(({ viewer }) => found.get(viewer) ?? new Map<string, AccountRelationship>())
  }, TOGETHER)
  return async ({ viewer, authors }) =>
    authors.length > FEW ? loadInChunks(authors, 1_000, (some) => alone(viewer, some)) : together({ viewer, authors })
}

/** Relationships of the viewer to these accounts. Empty for anonymous viewers. */
export const relationshipsOf = async (
  ctx: { readonly relationships: Relationships },
  viewerId: string | null,
  ids: Iterable<string>,
): Promise<ReadonlyMap<string, AccountRelationship>> => {
  const authors = [...new Set(ids)].filter((id) => id !== viewerId)
  return viewerId === null || authors.length === 0 ? new Map() : ctx.relationships({ viewer: viewerId, authors })
}
