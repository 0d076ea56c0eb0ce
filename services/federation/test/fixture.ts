/** Fixture: a harness with a local account, a remote account that it follows, another remote account without local followers, and a public status. */
import { type AccountRecord, createFollow } from '@murmuration/contracts/accounts'
import { createStatus, showStatus, statusRecords } from '@murmuration/contracts/statuses'
import { sql } from '@murmuration/db'
import type { App } from '@murmuration/kernel'
import { type Document, makeActivity, PUBLIC, type RemoteActor } from '@murmuration/testkit/outside/remote-actor'
import type { RemoteServer } from '@murmuration/testkit/outside/remote-server'
import { type Harness, startHarness } from './harness.js'

export type LocalAccount = Awaited<ReturnType<Harness['createAccount']>>

export interface Fixture {
  readonly harness: Harness
  readonly bob: LocalAccount
  readonly remote: RemoteServer
  /** Followed by bob. */
  readonly rita: RemoteActor
  /** On the same server as rita, without local followers. */
  readonly vera: RemoteActor
  /** A public status of bob. */
  readonly post: { readonly id: string; readonly uri: string }
  /** Publishes a status of bob. */
  write(input: Record<string, unknown>, as?: LocalAccount): Promise<{ id: string; uri: string }>
  /** A status as its author would send it. */
  note(author: RemoteActor, extra?: Document): Document & { id: string }
  /** Delivers an activity of the actor. Returns its outcome. */
  sendActivity(author: RemoteActor, type: string, object: Document | string, extra?: Document): Promise<string>
  /** Stores an accepted follow of a remote account by a local one. */
  follow(who: LocalAccount, whom: RemoteActor): Promise<void>
  /** The status as bob sees it, or null. */
  shown(uri: string): Promise<Awaited<ReturnType<typeof seen>> | null>
}

const seen = (harness: Harness, id: string, as: LocalAccount) => harness.call(showStatus, { id }, as)

export const startFixture = async (env: Record<string, string> = {}, more: readonly App[] = []): Promise<Fixture> => {
  const harness = await startHarness(env, more)
  const bob = await harness.createAccount('bob')
  const remote = await harness.server()
  const rita = await remote.addActor('rita')
  const vera = await remote.addActor('vera')
  const recordOf = async (key: { ids?: string[]; uris?: string[] }) =>
    (await harness.call(statusRecords, key)).records[0] ?? null
  const write: Fixture['write'] = async (input, as = bob) => {
    const { id } = await harness.call(createStatus, input as never, as)
    return { id, uri: (await recordOf({ ids: [id] }))?.uri ?? '' }
  }
  /** A Like of an unknown object makes the actor known. On a busy machine, the actor may be fetched too late at first. */
  const meet = async (actor: RemoteActor, triesLeft = 10): Promise<AccountRecord> => {
    const outcome = await harness.outcome(remote, makeActivity(actor, 'Like', `${harness.origin}/x`), { as: actor })
    const account = await harness.account(actor.id)
    if (account !== null) return account
    if (triesLeft === 0) throw new Error(`${actor.id} stayed unknown: ${outcome}`)
    await new Promise((resolve) => setTimeout(resolve, 500))
    return meet(actor, triesLeft - 1)
  }
  let notes = 0
  const fixture = {
    harness,
    bob,
    remote,
    rita,
    vera,
    write,
    note: (author: RemoteActor, extra: Document = {}) => ({
      '@context': 'https://www.w3.org/ns/activitystreams',
      id: `${author.id}/statuses/${++notes}`,
      type: 'Note',
      attributedTo: author.id,
      content: `<p>status ${notes}</p>`,
      published: new Date().toISOString(),
      to: [PUBLIC],
      cc: [author.followers],
      ...extra,
    }),
    sendActivity: (author: RemoteActor, type: string, object: Document | string, extra: Document = {}) =>
      harness.outcome(remote, makeActivity(author, type, object, extra), { as: author }),
    async follow(who: LocalAccount, whom: RemoteActor) {
      const { id } = await meet(whom)
      await harness.call(createFollow, { id }, who)
      const asked = await harness
        .db('accounts')
        .row<{ uri: string }>(sql`select uri from follow_requests where account_id = ${who.id} and target_id = ${id}`)
      await harness.outcome(remote, makeActivity(whom, 'Accept', asked?.uri ?? ''), { as: whom })
    },
    async shown(uri: string) {
      const record = await recordOf({ uris: [uri] })
      return record && !record.deleted ? seen(harness, record.id, bob).catch(() => null) : null
    },
  }
  await fixture.follow(bob, rita)
  return { ...fixture, post: await write({ status: 'hello', visibility: 'public' }) }
}
