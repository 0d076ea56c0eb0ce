/** A world with one person of ours, one elsewhere whom they follow and one whom nobody follows, and a public status to speak about. */
import { type AccountRecord, followCreate } from '@murmuration/contracts/accounts'
import { createStatus, showStatus, statusRecords } from '@murmuration/contracts/statuses'
import { sql } from '@murmuration/db'
import type { App } from '@murmuration/kernel'
import { type Document, makeActivity, PUBLIC, type RemoteActor } from '@murmuration/testkit/outside/remote-actor'
import type { RemoteServer } from '@murmuration/testkit/outside/remote-server'
import { startWorld, type World } from './world.js'

export type Person = Awaited<ReturnType<World['person']>>

export interface Stage {
  readonly world: World
  readonly bob: Person
  readonly remote: RemoteServer
  /** Followed by bob. */
  readonly rita: RemoteActor
  /** On the same server as rita, without local followers. */
  readonly vera: RemoteActor
  /** A public status of bob. */
  readonly post: { readonly id: string; readonly uri: string }
  /** Publishes a status of bob. */
  write(input: Record<string, unknown>, as?: Person): Promise<{ id: string; uri: string }>
  /** A status as its author would send it. */
  note(author: RemoteActor, extra?: Document): Document & { id: string }
  /** Delivers an activity of the actor. Returns its outcome. */
  say(author: RemoteActor, type: string, object: Document | string, extra?: Document): Promise<string>
  /** Stores an accepted follow of a remote account by a local one. */
  follow(who: Person, whom: RemoteActor): Promise<void>
  /** The status as bob sees it, or null. */
  shown(uri: string): Promise<Awaited<ReturnType<typeof seen>> | null>
}

const seen = (world: World, id: string, as: Person) => world.call(showStatus, { id }, as)

export const startStage = async (env: Record<string, string> = {}, more: readonly App[] = []): Promise<Stage> => {
  const world = await startWorld(env, more)
  const bob = await world.person('bob')
  const remote = await world.server()
  const rita = await remote.addActor('rita')
  const vera = await remote.addActor('vera')
  const recordOf = async (key: { ids?: string[]; uris?: string[] }) =>
    (await world.call(statusRecords, key)).records[0] ?? null
  const write: Stage['write'] = async (input, as = bob) => {
    const { id } = await world.call(createStatus, input as never, as)
    return { id, uri: (await recordOf({ ids: [id] }))?.uri ?? '' }
  }
  /** A Like of an unknown object makes the actor known. On a busy machine, the actor may be fetched too late at first. */
  const meet = async (actor: RemoteActor, triesLeft = 10): Promise<AccountRecord> => {
    const outcome = await world.outcome(remote, makeActivity(actor, 'Like', `${world.origin}/x`), { as: actor })
    const account = await world.account(actor.id)
    if (account !== null) return account
    if (triesLeft === 0) throw new Error(`${actor.id} stayed unknown: ${outcome}`)
    await new Promise((resolve) => setTimeout(resolve, 500))
    return meet(actor, triesLeft - 1)
  }
  let notes = 0
  const stage = {
    world,
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
    say: (author: RemoteActor, type: string, object: Document | string, extra: Document = {}) =>
      world.outcome(remote, makeActivity(author, type, object, extra), { as: author }),
    async follow(who: Person, whom: RemoteActor) {
      const { id } = await meet(whom)
      await world.call(followCreate, { id }, who)
      const asked = await world
        .db('accounts')
        .row<{ uri: string }>(sql`select uri from follow_requests where account_id = ${who.id} and target_id = ${id}`)
      await world.outcome(remote, makeActivity(whom, 'Accept', asked?.uri ?? ''), { as: whom })
    },
    async shown(uri: string) {
      const record = await recordOf({ uris: [uri] })
      return record && !record.deleted ? seen(world, record.id, bob).catch(() => null) : null
    },
  }
  await stage.follow(bob, rita)
  return { ...stage, post: await write({ status: 'hello', visibility: 'public' }) }
}
