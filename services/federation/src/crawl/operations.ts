/** Handlers by which staff starts crawls of other servers and reads their results. */
import { readDomain } from '@murmuration/activitypub/vocabulary/uri'
import {
  type CrawledServer,
  federationTasks,
  listCrawledServers,
  showCrawl,
  startCrawl,
} from '@murmuration/contracts/federation'
import { invalidField, notFound, pageReply, toJson } from '@murmuration/contracts/kit'
import type { Task } from '@murmuration/contracts/task'
import { endsOf, taskById } from '@murmuration/db'
import { startTask, taskOf } from '@murmuration/kernel'
import type { Context } from '../context.js'
import { hostAccess, notReady } from '../core/host/hosts.js'
import { handle } from '../handlers.js'
import { crawlKind } from './crawl.js'
import { serverPage, sumsOf } from './store.js'

const startOf = (ctx: Context, given: string | null | undefined): string | null => {
  if (!given) return null
  const host = readDomain(given.trim().replace(/\/$/, ''))
  if (host === null || ctx.self.ownHosts.has(host)) throw invalidField('Domain is not a valid domain of another server')
  const access = hostAccess(ctx, host)
  if (access === 'unknown') throw notReady()
  if (access === 'blocked') throw invalidField('Domain is blocked')
  return host
}

export const start = handle(startCrawl, (ctx, by, { domain, concurrency, exclude_suspended }) =>
  startTask(ctx, federationTasks, crawlKind, {
    by,
    input: { start: startOf(ctx, domain), concurrency, excludeSuspended: exclude_suspended },
    dryRun: false,
  }),
)

const crawlNamed = async (ctx: Context, id: string): Promise<Task> => {
  const row = await taskById(ctx.db, id)
  if (row?.kind !== crawlKind.name) throw notFound()
  return taskOf(row)
}

export const show = handle(showCrawl, async (ctx, _viewer, { id }) => {
  const task = await crawlNamed(ctx, id)
  return { task, ...(await sumsOf(ctx.db, id)) }
})

export const listServers = handle(listCrawledServers, async (ctx, _viewer, { id, ...page }) => {
  await crawlNamed(ctx, id)
  const rows = await serverPage(ctx.db, id, page)
  return pageReply<CrawledServer>(
    listCrawledServers.output,
    rows.map(({ host, ...row }) => toJson({ ...row, domain: host })),
    endsOf(
      rows.map((row) => row.id),
      page,
    ),
  )
})
