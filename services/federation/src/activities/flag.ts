/** Flag: another server reports somebody here; staff hears of it, nobody is answered. */
import { accountRecords } from '@murmuration/contracts/accounts'
import { flagReceived } from '@murmuration/contracts/federation'
import { type StatusRecord, statusRecords } from '@murmuration/contracts/statuses'
import type { Context } from '../context.js'
import { judgeFlag } from '../domain/object-authority.js'
import { hostRule } from '../hosts.js'
import { INSTANCE_ACCOUNT } from '../self.js'
import { hostOf } from '../vocabulary/uri.js'
import { done, ignored, refused } from './outcome.js'
import type { Handler, Received } from './received.js'

/** Accounts and statuses that a report may be about. */
const found = async (ctx: Context, uris: readonly string[]) => {
  const [{ records: accounts }, { records: statuses }] = await Promise.all([
    ctx.call(accountRecords, { uris: [...uris] }),
    ctx.call(statusRecords, { uris: [...uris] }),
  ])
  const authors = [...new Set(statuses.map((it) => it.author))]
  const { records: writers } = authors.length ? await ctx.call(accountRecords, { ids: authors }) : { records: [] }
  return { accounts: [...accounts, ...writers], statuses }
}

/** What the reporter's side could see at all. */
const mayReport = (status: StatusRecord, target: string, { actor }: Received<'Flag'>): boolean =>
  status.author === target &&
  (status.visibility === 'public' || status.visibility === 'unlisted' || status.mentions.includes(actor.id))

export const flag: Handler<'Flag'> = async (ctx, received) => {
  const { activity, actor } = received
  const domain = hostOf(activity.actor) as string
  const rule = hostRule(ctx, domain)
  if (rule?.reject_reports) return ignored('reports-rejected')
  const judged = judgeFlag(activity, { concernsUs: false, ownHosts: ctx.self.ownHosts })
  if (!judged.ok) return ignored(judged.reason)
  if (!(await ctx.reader.budgets.mayReport(domain))) return refused('too-many-reports')
  const { accounts, statuses } = await found(ctx, activity.objects)
  const target = accounts.find((it) => it.domain === null && it.id !== INSTANCE_ACCOUNT)
  if (target === undefined) return ignored('not-about-us')
  const statusUris = statuses.filter((it) => mayReport(it, target.id, received)).map((it) => it.uri)
  return done(null, (tx) =>
    ctx.announce(tx, flagReceived, {
      uri: activity.id ?? actor.uri,
      domain,
      actor: actor.id,
      target: target.id,
      statusUris,
      comment: activity.comment,
    }),
  )
}
