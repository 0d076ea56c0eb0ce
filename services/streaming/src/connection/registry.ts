/**
 * All open connections of this process, with the presence and grants of their accounts. Closes connections on
 * revocation and on shutdown.
 */
import { resolveToken, tokenInvalidation } from '@murmuration/contracts/accounts'
import { chunk } from '@murmuration/flow'
import type { Context } from '../context.js'
import type { Connection } from './connection.js'
import { createPresence } from './presence.store.js'

const RESTARTS = 'the server restarts'

/** Minimum milliseconds between two renewals of an account's grant. */
const RENEW_EVERY_MS = 5_000

/** Grants of accounts. A grant proves to the services statuses and notifications that the account has an open stream. */
export interface Grants {
  /** The newest grant of an account; empty if there is none. */
  grantOf(viewerId: string): string
  /** Fetches new grants for accounts whose grants were refused, at most once in RENEW_EVERY_MS per account. */
  renew(viewerIds: readonly string[]): Promise<void>
}

export interface Registry extends Grants {
  add(connection: Connection): void
  remove(connection: Connection): void
  count(): number
  /** Number of open connections of an account. */
  of(viewerId: string): number
  /** Closes all connections with code 1001, in 50 groups spread over `ms` milliseconds, so that clients do not reconnect at once. */
  closeAll(ms: number): Promise<void>
}

export const createRegistry = (ctx: Context): Registry => {
  const all = new Set<Connection>()
  let closing = false
  const perViewer = new Map<string, number>()
  const grants = new Map<string, string>()
  /** Last renewal of each account's grant, by account id: its start time, and a promise of its end. */
  const renewals = new Map<string, { at: number; done: Promise<void> }>()
  const keep = (viewer: string, grant: string | undefined): void => {
    if (grant !== undefined && perViewer.has(viewer)) grants.set(viewer, grant)
  }

  const { mark } = createPresence(
    ctx,
    () => [...perViewer.keys()],
    (accounts) => {
      const named = new Set(accounts)
      for (const connection of all) if (named.has(connection.viewerId)) connection.gap.report()
    },
  )
  const close = (connection: Connection): void => connection.transport.close(4401, 'the token was revoked')

  ctx.invalidations.subscribe(tokenInvalidation, (ids) => {
    if (ids === null) {
      recheck()
      return
    }
    const named = new Set(ids)
    recheck((connection) => named.has(connection.tokenId), 'close')
  })

  /**
   * Resolves access tokens again, and closes the connections whose token is invalid. Runs for all tokens every 45
   * seconds, because invalidations may be lost. `withoutResponse` decides whether connections close if the accounts service
   * does not respond. It is `close` for tokens that an invalidation named.
   */
  const recheck = async (
    concerns: (connection: Connection) => boolean = () => true,
    withoutResponse: 'close' | 'keep' = 'keep',
  ): Promise<void> => {
    const tokens = Map.groupBy([...all].filter(concerns), (connection) => connection.token)
    for (const some of chunk([...tokens], 64))
      await Promise.all(
        some.map(async ([token, connections]) => {
          const resolved = await ctx.call(resolveToken, { token, ip: null, stream: true }).catch(() => null)
          if (resolved?.found?.viewer) keep(resolved.found.viewer.id, resolved.grant)
          if (resolved ? resolved.found?.state !== 'ok' : withoutResponse === 'close') connections.forEach(close)
        }),
      )
  }

  const stop = ctx.clock.every(45_000, () => recheck())
  ctx.onClose('registry', stop)

  return {
    add(connection) {
      all.add(connection)
      perViewer.set(connection.viewerId, (perViewer.get(connection.viewerId) ?? 0) + 1)
      keep(connection.viewerId, connection.grant)
      mark([connection.viewerId])
      if (closing) connection.transport.close(1001, RESTARTS)
    },
    remove(connection) {
      if (!all.delete(connection)) return
      const left = (perViewer.get(connection.viewerId) ?? 1) - 1
      if (left > 0) perViewer.set(connection.viewerId, left)
      else {
        perViewer.delete(connection.viewerId)
        grants.delete(connection.viewerId)
        renewals.delete(connection.viewerId)
      }
      mark([connection.viewerId])
    },
    grantOf: (viewerId) => grants.get(viewerId) ?? '',
    async renew(viewerIds) {
      const now = ctx.clock.now()
      const isDue = (id: string) =>
        perViewer.has(id) && now - (renewals.get(id)?.at ?? -RENEW_EVERY_MS) >= RENEW_EVERY_MS
      const due = new Set(viewerIds.filter(isDue))
      const done = due.size > 0 ? recheck((connection) => due.has(connection.viewerId)) : Promise.resolve()
      for (const id of due) renewals.set(id, { at: now, done })
      await Promise.all(new Set(viewerIds.map((id) => renewals.get(id)?.done)))
    },
    count: () => all.size,
    of: (viewerId) => perViewer.get(viewerId) ?? 0,
    async closeAll(ms) {
      closing = true
      const list = [...all]
      for (const some of chunk(list, Math.max(1, Math.ceil(list.length / 50)))) {
        for (const connection of some) connection.transport.close(1001, RESTARTS)
        await ctx.clock.sleep(ms / 50)
      }
    },
  }
}
