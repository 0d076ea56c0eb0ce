/**
 * Finds the hosts of inboxes that a name means. Staff enters the domain of handles, the host of actor ids or of
 * inboxes, or one account. The domain and the hosts of one server may differ.
 */
import { hostOf } from '@murmuration/activitypub/vocabulary/uri'
import { type AccountRecord, accountRecords, inboxHosts } from '@murmuration/contracts/accounts'
import type { LookedAt, NamedHostReason } from '@murmuration/contracts/federation'
import type { Context } from '../context.js'
import { hostAccess } from '../core/host/hosts.js'
import { hostNamed } from './host.rules.js'
import { hostQueuesOf } from './host-queue.store.js'

/** Maximum number of hosts that are returned for one name. */
const MAX_HOSTS = 20

/** A name that staff entered: a host, or one account by handle or actor id. */
interface Named {
  /** The name that staff entered, normalised. */
  name: string
  /** The host that staff entered, or the host in the handle or actor id. */
  host: string
  account: { handle: string } | { uri: string } | null
}

const readName = (given: string): Named => {
  const text = given.trim()
  const host = hostOf(text)
  if (host !== null) return { name: text, host, account: { uri: text } }
  const [user, domain] = text.replace(/^(?:acct:)?@?/i, '').split('@')
  if (user && domain) {
    const handle = `${user}@${hostNamed(domain)}`.toLowerCase()
    return { name: handle, host: hostNamed(domain), account: { handle } }
  }
  const named = hostNamed(text)
  return { name: named, host: named, account: null }
}

type Why = readonly [host: string, why: NamedHostReason]

const ofAccount = (one: AccountRecord): Why[] => {
  const shared = one.shared_inbox_url === null ? null : hostOf(one.shared_inbox_url)
  const own = one.inbox_url === null ? null : hostOf(one.inbox_url)
  return [
    ...(shared === null ? [] : [[shared, 'shared-inbox'] as const]),
    ...(own === null ? [] : [[own, 'own-inbox'] as const]),
  ]
}

const accountOf = async (ctx: Context, account: NonNullable<Named['account']>): Promise<AccountRecord | null> => {
  const query = 'uri' in account ? { uris: [account.uri], pages: true } : { handles: [account.handle] }
  const [found] = (await ctx.call(accountRecords, query)).records
  return found !== undefined && found.domain !== null ? found : null
}

/** Hosts of the inboxes of accounts with this domain in their handles, or this host in their actor ids. */
const ofAccountsAt = async (ctx: Context, name: string): Promise<Why[]> => {
  const { hosts } = await ctx.call(inboxHosts, { name })
  return hosts.flatMap((it): Why[] => {
    const host = hostOf(`https://${it.host}/`)
    return host === null ? [] : [[host, it.why]]
  })
}

interface Found {
  why: Why[]
  /** Account that the name means; null if the name means a host. */
  account: AccountRecord | null
  isPartial: boolean
}

/** Hosts of the inboxes that a name means. If the accounts service does not respond, only the host with this name. */
const findHosts = async (ctx: Context, { host, account }: Named): Promise<Found> => {
  const self: Why = [host, 'inbox']
  try {
    const known = account === null ? null : await accountOf(ctx, account)
    const why = known === null ? [self, ...(await ofAccountsAt(ctx, host))] : ofAccount(known)
    return { why, account: known, isPartial: false }
  } catch (error) {
    ctx.log.warn({ err: error, host }, 'the hosts of a server could not be read from accounts')
    return { why: [self], account: null, isPartial: true }
  }
}

/** The hosts that a name means, and the host queues of those hosts to which anything was ever sent. */
export const lookUpHosts = async (ctx: Context, given: string): Promise<{ looked_at: LookedAt; queues: string[] }> => {
  const named = readName(given)
  const { why: found, account, isPartial } = await findHosts(ctx, named)
  const reasons = Map.groupBy(found, ([one]) => one)
  const queues = await hostQueuesOf(ctx.db, [...reasons.keys()])
  const isHostBlocked = (one: string) => hostAccess(ctx, one) === 'blocked'
  const hosts = [...reasons]
    .map(([host, why]) => ({
      host,
      why: why.map(([, reason]) => reason).filter((reason) => reason !== 'inbox' || queues.has(host)),
      blocked: isHostBlocked(host),
      is_used: queues.has(host),
    }))
    .filter((one) => one.why.length > 0)
    .slice(0, MAX_HOSTS)
  return {
    looked_at: {
      name: named.name,
      is_known: isPartial || named.account === null || 'uri' in named.account || account !== null,
      ...(isPartial && { is_partial: true }),
      blocked: isHostBlocked(account?.domain ?? named.host),
      hosts,
    },
    queues: hosts.flatMap((one) => queues.get(one.host) ?? []),
  }
}

/** True if nothing may be sent to the name: its domain is blocked, or all its hosts are blocked. */
export const isBlocked = ({ blocked, hosts }: LookedAt): boolean =>
  blocked || (hosts.length > 0 && hosts.every((one) => one.blocked))
