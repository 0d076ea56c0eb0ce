/** Flag: another server reports a local account, its statuses or collections, or a remote reply to a local account. */

import { hostOf, originOf, type Uri } from '@murmuration/activitypub/vocabulary/uri'
import { type AccountRecord, accountRecords, collectionRecords, followerDigests } from '@murmuration/contracts/accounts'
import { flagReceived } from '@murmuration/contracts/federation'
import { type StatusRecord, statusRecords } from '@murmuration/contracts/statuses'
import type { Context } from '../../context.js'
import { isOurs } from '../../core/activity/authority.rules.js'
import { withoutNeedlessParts } from '../../core/address/own-address.rules.js'
import { INSTANCE_ACCOUNT } from '../../core/address/self.js'
import { hostRule } from '../../core/host/hosts.js'
import { recordsOf } from '../../outbox/index.js'
import { isOpen } from '../inbound-acceptance.rules.js'
import { authorizeFlag } from '../object-authority.rules.js'
import { done, ignored, refused } from './outcome.js'
import type { Handler } from './received.js'

/** Maximum number of accounts that are looked up because the reported statuses mention them or reply to them. */
const MAX_NAMED = 1_000

interface Reported {
  readonly accounts: readonly AccountRecord[]
  readonly statuses: readonly StatusRecord[]
  /** Reported local collections of accounts. */
  readonly collections: readonly { id: string; owner: string }[]
  /**
   * Accounts by id: authors of the reported statuses, owners of the collections, accounts that the statuses reply to,
   * and accounts that non-public statuses mention.
   */
  readonly named: ReadonlyMap<string, AccountRecord>
}

/** Accounts, statuses and collections of a report, with the accounts that they concern. */
const found = async (ctx: Context, uris: readonly Uri[]): Promise<Reported> => {
  const kept = uris
    .filter((uri) => isOurs(uri, ctx.self.ownHosts) && uri.includes('/collections/'))
    .map((uri) => withoutNeedlessParts(uri, ctx.self.ownHosts))
  const [{ records: accounts }, { records: statuses }, { records: collections }] = await Promise.all([
    ctx.call(accountRecords, { uris: [...uris] }),
    ctx.call(statusRecords, { uris: [...uris] }),
    kept.length ? ctx.call(collectionRecords, { uris: kept }) : { records: [] },
  ])
  const authors = [...new Set([...statuses.map((it) => it.author), ...collections.map((it) => it.owner)])]
  const parentAuthors = statuses.flatMap((it) => it.in_reply_to_author ?? [])
  const mentioned = statuses.filter((it) => !isOpen(it)).flatMap((it) => it.mentions)
  const all = await recordsOf(ctx, [...authors, ...parentAuthors, ...mentioned].slice(0, MAX_NAMED))
  // The URI of a hidden local status may be guessed, so the status alone does not reveal its author. A valid report
  // names the status and its author.
  const shown = new Set(statuses.filter((it) => !it.local || isOpen(it)).map((it) => it.author))
  const owners = new Set(collections.map((it) => it.owner))
  const others = authors.flatMap((id) => (shown.has(id) || owners.has(id) ? (all.get(id) ?? []) : []))
  return { accounts: [...accounts, ...others], statuses, collections, named: all }
}

/** The reported account: the first local account, else a remote account with a reported reply to a local account. */
const targetOf = ({ accounts, statuses, named }: Reported): AccountRecord | undefined => {
  const repliesToLocal = (it: StatusRecord) =>
    it.in_reply_to_author !== null && named.get(it.in_reply_to_author)?.domain === null
  return (
    accounts.find((it) => it.domain === null && it.id !== INSTANCE_ACCOUNT) ??
    accounts.find((it) => it.domain !== null && statuses.some((one) => one.author === it.id && repliesToLocal(one)))
  )
}

/**
 * URIs of the reported statuses of `target` that the reporter's server may have.
 *
 * The server may have public and unlisted statuses, statuses that mention an account there, and followers-only statuses
 * if a follower is there.
 */
const mayReport = async (ctx: Context, it: Reported, target: AccountRecord, reporter: string): Promise<string[]> => {
  const origin = originOf(reporter) as string
  const theirs = it.statuses.filter((one) => one.author === target.id)
  const isForFollowers = target.domain === null && theirs.some((one) => one.visibility === 'private')
  const { digests } = isForFollowers
    ? await ctx.call(followerDigests, { account: target.id, origins: [origin] })
    : { digests: {} }
  const seesFollowersOnly = Object.hasOwn(digests, origin)
  const isThere = (id: string) => originOf(it.named.get(id)?.uri ?? '') === origin
  return theirs
    .filter((one) => isOpen(one) || (one.visibility === 'private' && seesFollowersOnly) || one.mentions.some(isThere))
    .map((one) => one.uri)
}

export const flag: Handler<'Flag'> = async (ctx, { activity, actor }) => {
  const domain = hostOf(activity.actor) as string
  const rule = hostRule(ctx, domain)
  if (rule?.reject_reports) return ignored('reports-rejected')
  if (!(await ctx.fetcher.limits.mayReport(domain))) return refused('too-many-reports')
  const reported = await found(ctx, activity.objects)
  const target = targetOf(reported)
  const authorized = authorizeFlag(activity, { concernsUs: target !== undefined, ownHosts: ctx.self.ownHosts })
  if (!authorized.ok) return ignored(authorized.reason)
  if (target === undefined) return ignored('not-about-us')
  const statusUris = await mayReport(ctx, reported, target, activity.actor)
  return done(null, (tx) =>
    ctx.announce(tx, flagReceived, {
      uri: activity.id,
      domain,
      actor: actor.id,
      target: target.id,
      statusUris,
      collectionIds: reported.collections.filter((it) => it.owner === target.id).map((it) => it.id),
      comment: activity.comment,
    }),
  )
}
