/**
 * The job that adds a status to the feeds of some pages of followers. The job of the first page also publishes the status
 * to public streams.
 */
import type { JobData } from '@murmuration/contracts/kit'
import { fanOut as fanOutJob, fanOutTags, type LiveMessage } from '@murmuration/contracts/statuses'
import { chunk, memoize } from '@murmuration/flow'
import { type JobMeta, partId, withoutNext } from '@murmuration/kernel'
import type { Context } from '../context.js'
import { publishToAccounts, publishToEach, publishToLists, publishToPublic } from '../core/live/publish.js'
import { loadPageOfStatuses } from '../core/viewer/loaded-status.js'
import type { LoadedStatus } from '../core/viewer/loaded-status.store.js'
import { workAll } from '../handlers.js'
import { forPages } from './pages.js'
import { decide, feedStatus, followerPage, type Page } from './receivers.js'
import type { FeedStatus } from './rules.js'
import { addEntry, type Entry, type FeedRules, feedsWith, feedsWithout, homeKey, listKey } from './store.js'
import { isFollowedByTag } from './tag-receivers.js'

interface Targets {
  /** Accounts whose home feed receives the status. */
  homes: readonly string[]
  lists: readonly { owner: string; id: string }[]
}
type Job = JobData<typeof fanOutJob>
type Event = Extract<LiveMessage['e'], 'update' | 'status.update'>

/** Publishes a public status of an author who is not limited to the public streams. */
const publishPublicly = (ctx: Context, loaded: LoadedStatus, e: Event): void => {
  if (loaded.visibility === 0 && loaded.reblog_of_id === null && loaded.silenced === false)
    publishToPublic(ctx, loaded, { e, id: loaded.id, local: loaded.local, media: loaded.media_ids.length > 0 })
}

/**
 * Feeds of the author that receive the author's own status: the home feed, and own lists that contain the author. A
 * remote author has none.
 */
const ownTargets = (loaded: LoadedStatus, page: Page): Targets =>
  loaded.local
    ? { homes: [loaded.author_id], lists: page.own.map((id) => ({ owner: loaded.author_id, id })) }
    : { homes: [], lists: [] }

const keysOf = ({ homes, lists }: Targets): string[] => [
  ...homes.map(homeKey),
  ...lists.map((list) => listKey(list.owner, list.id)),
]
const only = (targets: Targets, keep: (account: string) => boolean): Targets => ({
  homes: targets.homes.filter(keep),
  lists: targets.lists.filter((list) => keep(list.owner)),
})
const without = (targets: Targets, positions: ReadonlySet<number>): Targets => ({
  homes: targets.homes.filter((_, i) => !positions.has(i)),
  lists: targets.lists.filter((_, i) => !positions.has(targets.homes.length + i)),
})

/**
 * Adds an entry to feeds. Returns the targets whose owners are notified, without those whose feed refused the entry.
 */
const fill = async (ctx: Context, targets: Targets, entry: Entry, wantsEach: ReadonlySet<string>): Promise<Targets> => {
  const put = async (some: Targets, rules: FeedRules): Promise<Targets> =>
    without(some, await addEntry(ctx.redis, keysOf(some), entry, rules))
  if (entry.original === null || wantsEach.size === 0) return put(targets, ctx.feedRules)
  const [once, each] = await Promise.all([
    put(
      only(targets, (account) => !wantsEach.has(account)),
      ctx.feedRules,
    ),
    put(
      only(targets, (account) => wantsEach.has(account)),
      { ...ctx.feedRules, window: 0 },
    ),
  ])
  return { homes: [...once.homes, ...each.homes], lists: [...once.lists, ...each.lists] }
}

/**
 * Sends an edit to the mentioned accounts for their notifications, and for the stream `user`. Accounts that receive it as
 * followers are left out of the stream: they are among `notified`, or their feed contains the status.
 */
const notifyMentioned = async (ctx: Context, loaded: LoadedStatus, notified: readonly string[]): Promise<void> => {
  const reached = new Set(notified)
  const named = loaded.mentions.filter((id) => id !== loaded.author_id)
  const contained = await feedsWith(ctx.redis, named.map(homeKey), { id: loaded.id, original: null })
  await publishToEach(
    ctx,
    named.map((id, i) => [
      id,
      { e: 'status.update', id: loaded.id, to: reached.has(id) || contained.has(i) ? 'notification' : 'both' },
    ]),
  )
}

interface Batch {
  statuses: ReadonlyMap<string, LoadedStatus>
  /** Returns pages of followers; each page is requested once per batch. */
  followers: typeof followerPage
}

/** True for the job that notifies everyone of a new status or an edit, not only the followers of a page. */
const isFirstOf = ({ after, quiet, late }: Job): boolean => after === undefined && !quiet && !late

const fanOutPage = async (ctx: Context, job: Job, status: FeedStatus, loaded: LoadedStatus, page: Page) => {
  const { edited, quiet } = job
  const { id } = loaded
  const e = edited === undefined ? 'update' : 'status.update'
  const decided = await decide(ctx, status, page)
  const first = isFirstOf(job) ? ownTargets(loaded, page) : { homes: [], lists: [] }
  const all = { homes: [...first.homes, ...decided.homes], lists: [...first.lists, ...decided.lists] }
  const entry = { id, original: loaded.reblog_of_id }
  const notified =
    edited === undefined
      ? await fill(ctx, all, entry, decided.wantsEach)
      : without(all, await feedsWithout(ctx.redis, keysOf(all), entry))
  if (!quiet) {
    // The request that created the status added it to the author's own feed, which therefore refuses the entry now. The
    // author's connections are notified all the same.
    await publishToAccounts(ctx, [...new Set([...first.homes, ...notified.homes])], { e, id })
    publishToLists(
      ctx,
      notified.lists.map((list) => list.id),
      { e, id },
    )
  }
  if (job.after === undefined && edited !== undefined) await notifyMentioned(ctx, loaded, quiet ? [] : notified.homes)
}

interface Following {
  /** Jobs of failed pages and of later followers. */
  pages: Job[]
  /** Job of the followers of the hashtags. */
  tags: JobData<typeof fanOutTags>[]
  /**
   * Publishes to the public streams. Called after the commit, so that a job that fails and is repeated does not publish
   * twice.
   */
  publish(): void
}

const NOTHING: Following = { pages: [], tags: [], publish: () => undefined }

/** Fans a status out to some pages of followers. Returns the jobs that follow. */
const one = async (ctx: Context, job: Job, { statuses, followers }: Batch): Promise<Following> => {
  const { status: id, edited } = job
  const loaded = statuses.get(id)
  const original = loaded?.reblog_of_id ? statuses.get(loaded.reblog_of_id) : undefined
  if (!loaded || (loaded.reblog_of_id !== null && !original)) return NOTHING
  await ctx.faults.reach('fanout.status', loaded.author_id)
  const status = feedStatus(loaded, original)
  const { failed, next, isFirstDone } = await forPages(ctx, job, {
    load: (after) => followers(ctx, status, after),
    handle: (page, after) => fanOutPage(ctx, { ...job, after }, status, loaded, page),
  })
  const pages = [...failed, ...(next === null ? [] : [next])].map((range) => ({ ...job, ...range }))
  await ctx.faults.reach('fanout.batch')
  // If the first page failed, its own job publishes the status and queues the job of the hashtags.
  if (!isFirstOf(job) || !isFirstDone) return { ...NOTHING, pages }
  return {
    pages,
    tags: (await isFollowedByTag(ctx, loaded)) ? [{ status: id, edited }] : [],
    publish: () => publishPublicly(ctx, loaded, edited === undefined ? 'update' : 'status.update'),
  }
}

/** Caches pages of followers for a batch, by author. Direct statuses have their own recipients and are not cached. */
const askedOnce = (): typeof followerPage => {
  const page = memoize(followerPage, (_, status, after) => `${status.authorId} ${after ?? ''}`)
  return (ctx, status, after) =>
    status.visibility === 'direct' ? followerPage(ctx, status, after) : page(ctx, status, after)
}

/** Maximum number of statuses that are fanned out concurrently. Each requests pages of a thousand followers. */
const MAX_AT_ONCE = 100

const runAll = async (jobs: readonly Job[], work: (job: Job) => Promise<Following>) => {
  const results: PromiseSettledResult<Following>[] = []
  for (const some of chunk(jobs, MAX_AT_ONCE)) results.push(...(await Promise.allSettled(some.map(work))))
  return results
}

/** Splits a job into one job per status. */
const each = ({ status, more = [], ...how }: Job): Job[] => [status, ...more].map((id) => ({ status: id, ...how }))

const fanOutAll = async (ctx: Context, jobs: readonly Job[], metas: readonly JobMeta[]): Promise<void> => {
  const all = jobs.flatMap(each)
  // A status has the same id in the whole job and in a part of the divided job. So neither repeats the next jobs of the
  // other. An older process recorded only the id of the whole job. During an update, such a job may queue its next jobs
  // twice.
  const ids = jobs.flatMap((job, i) => {
    const id = metas[i]?.id ?? ''
    return job.more?.length ? each(job).map((_, part) => partId(id, part)) : [id]
  })
  const statuses = await loadPageOfStatuses(
    ctx,
    null,
    all.map((job) => job.status),
  )
  const followers = askedOnce()
  const results = await runAll(all, (job) => one(ctx, job, { statuses, followers }))
  const failed = all.flatMap((job, i) => {
    const result = results[i] as PromiseSettledResult<Following>
    return result.status === 'rejected' ? [{ job, error: result.reason as unknown }] : []
  })
  // If only some statuses of a job fail, they are queued as separate jobs. Successful statuses of the job are therefore
  // not published twice.
  if (failed.length > 0 && (jobs.length > 1 || failed.length === all.length)) throw failed[0]?.error
  if (failed.length > 0)
    ctx.log.info(
      { error: failed[0]?.error, statuses: failed.length },
      'some statuses of a fan-out failed and are queued as separate jobs',
    )
  const following = all.map((job, i) => {
    const result = results[i] as PromiseSettledResult<Following>
    return { id: ids[i] ?? '', ...(result.status === 'fulfilled' ? result.value : { ...NOTHING, pages: [job] }) }
  })
  const waiting = following.filter((some) => some.pages.length + some.tags.length > 0)
  if (waiting.length > 0)
    await ctx.db.tx(async (tx) => {
      const fresh = await withoutNext(
        tx,
        fanOutJob,
        waiting.map((some) => some.id),
      )
      const queued = waiting.filter((some) => fresh.has(some.id))
      await ctx.queue(tx, fanOutJob, ...queued.flatMap((some) => some.pages))
      await ctx.queue(tx, fanOutTags, ...queued.flatMap((some) => some.tags))
    })
  for (const some of following) some.publish()
}

/**
 * `divide`: a job suspected of ending the process is run status by status, so that the other statuses reach the feeds.
 */
export const fanOut = workAll(fanOutJob, fanOutAll, { divide: each })
