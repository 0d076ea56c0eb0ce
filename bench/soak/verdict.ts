/** Compares the servers at rest with the oracle: feeds, counts, relations, what arrived elsewhere, the ledger, what was given up. */
import type { Document } from '@murmuration/testkit/outside/remote-actor'
import pg from 'pg'
import { idOf, type Scene } from './deeds.js'
import { difference, homeOf } from './oracle.js'
import type { Elsewhere } from './world.js'

interface Status {
  id: string
  uri: string
  account: { uri: string }
}

const idIn = (value: unknown): string => String(typeof value === 'object' && value ? (value as Document).id : value)

const homes = async (scene: Scene): Promise<string[]> => {
  const writers = new Set([
    ...scene.people.map((one) => one.uri),
    ...[...scene.living, scene.sleeping, scene.dead].map(({ steady }) => steady.id),
  ])
  const wrong: string[] = []
  for (const person of scene.people) {
    const found = new Set<string>()
    for (let max = ''; ; ) {
      const page = await person.call<Status[]>('GET', `/api/v1/timelines/home?limit=40${max}`)
      if (page.length === 0) break
      // People who came from hostile samples may write too; what counts here is what the oracle wrote.
      for (const one of page) if (writers.has(one.account.uri)) found.add(one.uri)
      max = `&max_id=${page.at(-1)?.id}`
    }
    const unlike = difference(homeOf(scene.oracle, person.name), found)
    scene.oracle.compared.homes += found.size
    if (unlike) wrong.push(`home of ${person.name} ${unlike}`)
  }
  return wrong
}

const counts = async ({ oracle, people }: Scene): Promise<string[]> => {
  const wrong: string[] = []
  for (const one of oracle.ours.values()) {
    const author = people.find((person) => person.name === one.author)
    const found = await author
      ?.call<{ favourites_count: number }>('GET', `/api/v1/statuses/${one.id}`)
      .catch((error: Error) => (error.message.includes('404') ? null : Promise.reject(error)))
    if (one.deleted !== (found === null)) wrong.push(`${one.uri} is ${one.deleted ? 'still there' : 'gone'}`)
    if (found && found.favourites_count !== one.likes.size)
      wrong.push(`${one.uri} has ${found.favourites_count} likes, not ${one.likes.size}`)
  }
  for (const person of people) {
    const me = await person.call<Record<string, number>>('GET', '/api/v1/accounts/verify_credentials')
    const circle = [...oracle.circle.values()].filter((all) => all.has(person.name)).length
    const wanted = {
      followers_count: (oracle.followers.get(person.name)?.size ?? 0) + circle,
      following_count: (oracle.following.get(person.name)?.size ?? 0) + (oracle.circle.get(person.name)?.size ?? 0),
      statuses_count: [...oracle.ours.values()].filter((one) => !one.deleted && one.author === person.name).length,
    }
    for (const [name, value] of Object.entries(wanted))
      if (me[name] !== value) wrong.push(`${name} of ${person.name} is ${me[name]}, not ${value}`)
  }
  return wrong
}

const relations = async (scene: Scene): Promise<string[]> => {
  const wrong: string[] = []
  const others = [...scene.living, scene.sleeping, scene.dead].flatMap(({ steady, fickle }) => [steady, fickle])
  for (const person of scene.people)
    for (const actor of others) {
      const known = await idOf(scene, 'accounts', actor.id)
      const [found] = await person.call<{ following: boolean; followed_by: boolean }[]>(
        'GET',
        `/api/v1/accounts/relationships?id[]=${known}`,
      )
      const [following, followed] = [scene.oracle.following, scene.oracle.followers].map((all) =>
        all.get(person.name)?.has(actor.id),
      )
      if (found?.following !== following || found?.followed_by !== followed)
        wrong.push(`${person.name} and ${actor.id}: ${JSON.stringify(found)}, not ${following} and ${followed}`)
    }
  return wrong
}

/** Likes and follows of ours that stand at a server elsewhere, as `actor object`. */
const standing = ({ server }: Elsewhere, type: string): Set<string> => {
  const all = server.inbox.all.map((one) => one.activity)
  const undone = new Set(all.filter((one) => one.type === 'Undo').map((one) => idIn(one.object)))
  const given = all.filter((one) => one.type === type && !undone.has(idIn(one.id)))
  return new Set(given.map((one) => `${idIn(one.actor)} ${idIn(one.object)}`))
}

const arrivals = (scene: Scene): string[] => {
  const { oracle, people, living, sleeping } = scene
  const uriOf = new Map(people.map((person) => [person.name, person.uri]))
  return [...living, sleeping].flatMap((there) => {
    const host = there.server.origin
    const about = (type: string) =>
      new Set(
        there.server.inbox.all
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
    const alive = new Set([...oracle.theirs.values()].filter((one) => !one.deleted).map((one) => one.uri))
    const liked = new Set([...standing(there, 'Like')].filter((pair) => alive.has(pair.split(' ')[1] ?? '')))
    const follows = new Set(
      [there.steady, there.fickle].flatMap((actor) =>
        people.filter(({ name }) => oracle.following.get(name)?.has(actor.id)).map(({ uri }) => `${uri} ${actor.id}`),
      ),
    )
    const unlike = [difference(likes, liked), difference(follows, standing(there, 'Follow'))]
    return [
      ...ours.filter((one) => !one.deleted && !created.has(one.uri)).map((one) => `${host} never got ${one.uri}`),
      ...ours
        .filter((one) => one.deleted && created.has(one.uri) && !deleted.has(one.uri))
        .map((one) => `${host} was not told that ${one.uri} is gone`),
      ...unlike.flatMap((it, at) => (it ? [`${['likes', 'follows'][at]} at ${host}: ${it}`] : [])),
    ]
  })
}

/** Every row of the ledger says what the other server saw; only what is for the dead one waits. */
const ledger = async (scene: Scene): Promise<string[]> => {
  const client = new pg.Client({ connectionString: scene.product.databaseUrl })
  await client.connect()
  const { rows } = await client.query<{ host: string; uri: string; state: number }>(`select l.host, a.uri, d.state
    from federation.deliveries d join federation.lanes l on l.id = d.lane_id
    join federation.activities a on a.id = d.activity_id`)
  const waiting = await client.query('select 1 from federation.inbox_activities where outcome is null')
  await client.end()
  scene.oracle.compared.ledger = rows.length
  const wrong = waiting.rows.length ? [`${waiting.rows.length} activities that came in were never worked on`] : []
  for (const { server } of [...scene.living, scene.sleeping]) {
    const host = new URL(server.origin).host
    scene.oracle.compared.arrived += server.inbox.all.length
    const mine = rows.filter((row) => row.host === host)
    const unsettled = mine.filter((row) => row.state !== 1 && row.state !== 4)
    if (unsettled.length) wrong.push(`${unsettled.length} deliveries to ${host} are not settled as delivered`)
    const told = new Set(mine.filter((row) => row.state === 1).map((row) => row.uri))
    const unlike = difference(told, new Set(server.inbox.all.map(({ activity }) => String(activity.id))))
    if (unlike) wrong.push(`the ledger of ${host} is not what arrived: ${unlike}`)
  }
  const host = new URL(scene.dead.server.origin).host
  const lost = rows.filter((row) => row.host === host && (row.state === 2 || row.state === 3))
  if (lost.length) wrong.push(`${lost.length} deliveries to the dead host were given up within minutes`)
  return wrong
}

/** Everything that is not as it should be. */
export const judge = async (scene: Scene): Promise<string[]> => {
  Object.assign(scene.oracle.compared, { homes: 0, arrived: 0, ledger: 0 })
  const letters = (await scene.product.ctl('dlq', 'list')) as unknown as { service: string; consumer: string }[]
  return [
    ...letters.map((one) => `a dead letter of ${one.service} ${one.consumer}`),
    ...(await homes(scene)),
    ...(await counts(scene)),
    ...(await relations(scene)),
    ...arrivals(scene),
    ...(await ledger(scene)),
  ]
}
