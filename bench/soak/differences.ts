/**
 * Compares the idle servers with the oracle: timelines, counters, relationships, received activities, deliveries and
 * dead letters.
 */
import type { Document } from '@murmuration/testkit/outside/remote-actor'
import pg from 'pg'
import { idOf, type Soak } from './actions.js'
import { difference, homeOf } from './oracle.js'
import type { Peer } from './setup.js'

interface Status {
  id: string
  uri: string
  account: { uri: string }
}

const idIn = (value: unknown): string => String(typeof value === 'object' && value ? (value as Document).id : value)

const homes = async (soak: Soak): Promise<string[]> => {
  const writers = new Set([
    ...soak.users.map((one) => one.uri),
    ...[...soak.healthy, soak.hanging, soak.dead].map(({ steady }) => steady.id),
  ])
  const wrong: string[] = []
  for (const user of soak.users) {
    const found = new Set<string>()
    for (let max = ''; ; ) {
      const page = await user.call<Status[]>('GET', `/api/v1/timelines/home?limit=40${max}`)
      if (page.length === 0) break
      // Accounts from hostile samples may also write. Their statuses are left out, because the oracle does not know
      // them.
      for (const one of page) if (writers.has(one.account.uri)) found.add(one.uri)
      max = `&max_id=${page.at(-1)?.id}`
    }
    const unlike = difference(homeOf(soak.oracle, user.name), found)
    soak.oracle.compared.homes += found.size
    if (unlike) wrong.push(`home of ${user.name} ${unlike}`)
  }
  return wrong
}

const counts = async ({ oracle, users }: Soak): Promise<string[]> => {
  const wrong: string[] = []
  for (const one of oracle.ours.values()) {
    const author = users.find((user) => user.name === one.author)
    const found = await author
      ?.call<{ favourites_count: number }>('GET', `/api/v1/statuses/${one.id}`)
      .catch((error: Error) => (error.message.includes('404') ? null : Promise.reject(error)))
    if (one.deleted !== (found === null)) wrong.push(`${one.uri} ${one.deleted ? 'is not deleted' : 'is missing'}`)
    if (found && found.favourites_count !== one.likes.size)
      wrong.push(`${one.uri} has ${found.favourites_count} likes, not ${one.likes.size}`)
  }
  for (const user of users) {
    const me = await user.call<Record<string, number>>('GET', '/api/v1/accounts/verify_credentials')
    const circle = [...oracle.circle.values()].filter((all) => all.has(user.name)).length
    const wanted = {
      followers_count: (oracle.followers.get(user.name)?.size ?? 0) + circle,
      following_count: (oracle.following.get(user.name)?.size ?? 0) + (oracle.circle.get(user.name)?.size ?? 0),
      statuses_count: [...oracle.ours.values()].filter((one) => !one.deleted && one.author === user.name).length,
    }
    for (const [name, value] of Object.entries(wanted))
      if (me[name] !== value) wrong.push(`${name} of ${user.name} is ${me[name]}, not ${value}`)
  }
  return wrong
}

const relations = async (soak: Soak): Promise<string[]> => {
  const wrong: string[] = []
  const others = [...soak.healthy, soak.hanging, soak.dead].flatMap(({ steady, fickle }) => [steady, fickle])
  for (const user of soak.users)
    for (const actor of others) {
      const known = await idOf(soak, 'accounts', actor.id)
      const [found] = await user.call<{ following: boolean; followed_by: boolean }[]>(
        'GET',
        `/api/v1/accounts/relationships?id[]=${known}`,
      )
      const [following, followed] = [soak.oracle.following, soak.oracle.followers].map((all) =>
        all.get(user.name)?.has(actor.id),
      )
      if (found?.following !== following || found?.followed_by !== followed)
        wrong.push(`${user.name} and ${actor.id}: ${JSON.stringify(found)}, not ${following} and ${followed}`)
    }
  return wrong
}

/** Likes or follows of local users that a remote server received and that were not undone, as `actor object`. */
const receivedBy = ({ server }: Peer, type: string): Set<string> => {
  const all = server.inbox.all.map((one) => one.activity)
  const undone = new Set(all.filter((one) => one.type === 'Undo').map((one) => idIn(one.object)))
  const given = all.filter((one) => one.type === type && !undone.has(idIn(one.id)))
  return new Set(given.map((one) => `${idIn(one.actor)} ${idIn(one.object)}`))
}

const arrivals = (soak: Soak): string[] => {
  const { oracle, users, healthy, hanging } = soak
  const uriOf = new Map(users.map((user) => [user.name, user.uri]))
  return [...healthy, hanging].flatMap((peer) => {
    const host = peer.server.origin
    const about = (type: string) =>
      new Set(
        peer.server.inbox.all
          .filter(({ activity }) => activity.type === type)
          .map(({ activity }) => idIn(activity.object)),
      )
    const [created, deleted] = [about('Create'), about('Delete')]
    const ours = [...oracle.ours.values()].filter((one) => one.audience.has(host))
    const likes = new Set(
      [...oracle.theirs.values()]
        .filter((one) => one.host === host && !one.deleted)
        .flatMap((one) => [...one.likes].map((name) => `${uriOf.get(name)} ${one.uri}`)),
    )
    const existing = new Set([...oracle.theirs.values()].filter((one) => !one.deleted).map((one) => one.uri))
    const liked = new Set([...receivedBy(peer, 'Like')].filter((pair) => existing.has(pair.split(' ')[1] ?? '')))
    const follows = new Set(
      [peer.steady, peer.fickle].flatMap((actor) =>
        users.filter(({ name }) => oracle.following.get(name)?.has(actor.id)).map(({ uri }) => `${uri} ${actor.id}`),
      ),
    )
    const unlike = [difference(likes, liked), difference(follows, receivedBy(peer, 'Follow'))]
    return [
      ...ours.filter((one) => !one.deleted && !created.has(one.uri)).map((one) => `${host} never received ${one.uri}`),
      ...ours
        .filter((one) => one.deleted && created.has(one.uri) && !deleted.has(one.uri))
        .map((one) => `${host} did not receive the Delete of ${one.uri}`),
      ...unlike.flatMap((it, at) => (it ? [`${['likes', 'follows'][at]} at ${host}: ${it}`] : [])),
    ]
  })
}

/** Compares the table `deliveries` with the activities that each server received. Only deliveries to the dead server may be pending. */
const deliveries = async (soak: Soak): Promise<string[]> => {
  const client = new pg.Client({ connectionString: soak.product.databaseUrl })
  await client.connect()
  const { rows } = await client.query<{ host: string; uri: string; state: number }>(`select l.host, a.uri, d.state
    from federation.deliveries d join federation.lanes l on l.id = d.lane_id
    join federation.activities a on a.id = d.activity_id`)
  const waiting = await client.query('select 1 from federation.inbox_activities where outcome is null')
  await client.end()
  soak.oracle.compared.deliveries = rows.length
  const wrong = waiting.rows.length ? [`${waiting.rows.length} received activities were not processed`] : []
  for (const { server } of [...soak.healthy, soak.hanging]) {
    const host = new URL(server.origin).host
    soak.oracle.compared.arrived += server.inbox.all.length
    const mine = rows.filter((row) => row.host === host)
    const unsettled = mine.filter((row) => row.state !== 1 && row.state !== 4)
    if (unsettled.length) wrong.push(`${unsettled.length} deliveries to ${host} are neither delivered nor replaced`)
    const delivered = new Set(mine.filter((row) => row.state === 1).map((row) => row.uri))
    const unlike = difference(delivered, new Set(server.inbox.all.map(({ activity }) => String(activity.id))))
    if (unlike) wrong.push(`the deliveries to ${host} differ from the received activities: ${unlike}`)
  }
  const host = new URL(soak.dead.server.origin).host
  const lost = rows.filter((row) => row.host === host && (row.state === 2 || row.state === 3))
  if (lost.length) wrong.push(`${lost.length} deliveries to the dead host were given up within minutes`)
  return wrong
}

/** Returns all differences between the servers and the oracle. */
export const findDifferences = async (soak: Soak): Promise<string[]> => {
  Object.assign(soak.oracle.compared, { homes: 0, arrived: 0, deliveries: 0 })
  const deadLetters = (await soak.product.ctl('dlq', 'list')) as unknown as { service: string; consumer: string }[]
  return [
    ...deadLetters.map((one) => `a dead letter of ${one.service} ${one.consumer}`),
    ...(await homes(soak)),
    ...(await counts(soak)),
    ...(await relations(soak)),
    ...arrivals(soak),
    ...(await deliveries(soak)),
  ]
}
