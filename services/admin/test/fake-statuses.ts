/** A fake statuses service that responds from the fixtures. */
import { toJson } from '@murmuration/contracts/kit'
import * as statuses from '@murmuration/contracts/statuses'
import type { App } from '@murmuration/kernel'
import { fakeService, handle } from './fake-service.js'
import { accountOf, type Fixtures, fixtureAccounts, statusOf } from './fixtures.js'

const authorOf = (id: string) => {
  const found = fixtureAccounts().find((one) => one.id === id)
  if (!found) throw new Error(`there is no account ${id}`)
  return accountOf(found)
}

const recordOf = (fixtures: Fixtures, id: string): statuses.StatusRecord[] => {
  const status = fixtures.statuses.get(id)
  if (!status) return []
  return [
    {
      id,
      uri: `https://here.example/statuses/${id}`,
      url: null,
      author: status.author,
      local: true,
      visibility: 'public',
      reblog_of: null,
      reblog_of_author: null,
      in_reply_to: null,
      in_reply_to_author: status.answers,
      conversation: id,
      mentions: [],
      created_at: '2026-01-03T00:00:00.000Z',
      deleted: false,
    },
  ]
}

export const statusesApp = (fixtures: Fixtures): App =>
  fakeService('statuses', fixtures, [
    handle(statuses.statusesByWeek, async (_ctx, _viewer, { mondays }) => ({ counts: mondays.map((_, n) => 10 * n) })),
    handle(statuses.statusCounts, async () => ({ local: 1_234, localReplies: 34, translates: false })),
    handle(statuses.statusesForReport, async (_ctx, _viewer, { author, ids }) => ({
      ids: ids.filter((id) => fixtures.statuses.get(id)?.author === author && !fixtures.statuses.get(id)?.hidden),
    })),
    handle(statuses.statusRecords, async (_ctx, _viewer, { ids, uris }) => ({
      records: [...(ids ?? []), ...(uris ?? []).map((uri) => uri.replace(/^.*\//, ''))].flatMap((id) =>
        recordOf(fixtures, id),
      ),
    })),
    handle(
      statuses.renderByIds,
      async (_ctx, _viewer, { ids }) =>
        new Map(
          ids.flatMap((id) => {
            const status = fixtures.statuses.get(id)
            return status ? [[id, toJson(statusOf(id, authorOf(status.author)))] as const] : []
          }),
        ),
    ),
  ])
