/** What people here and elsewhere do, one deed at a time, each written down for the oracle. */
import { readdirSync, readFileSync } from 'node:fs'
import { type Document, makeActivity, PUBLIC, type RemoteActor } from '@murmuration/testkit/outside/remote-actor'
import type { Oracle, Ours, Theirs } from './oracle.js'
import type { Elsewhere, Local, World } from './world.js'

const samples = new URL('../../services/federation/test/fixtures/samples/', import.meta.url)
const HOSTILE = readdirSync(samples)
  .filter((name) => name.startsWith('h'))
  .map((name) => readFileSync(new URL(name, samples), 'utf8'))
const GARBAGE = [
  '',
  '{',
  '[]',
  '{"type":"Create"}',
  `{"id":${'['.repeat(2_000)}`,
  'null',
  '{"type":["Follow"],"actor":{}}',
]

export const pick = <T>(all: readonly T[]): T => all[Math.floor(Math.random() * all.length)] as T

export interface Scene extends World {
  oracle: Oracle
  /** Our ids of statuses and accounts of others, by address. */
  ids: Map<string, string>
  /** Likes and follows from elsewhere that stand, by who and what, so that they can be taken back as they were. */
  given: Map<string, Document & { id: string }>
}

/** Our id of something elsewhere. */
export const idOf = async (scene: Scene, type: 'accounts' | 'statuses', uri: string): Promise<string> => {
  const known = scene.ids.get(uri)
  if (known) return known
  const found = await (scene.people[0] as Local).call<Record<string, { id: string }[]>>(
    'GET',
    `/api/v2/search?type=${type}&resolve=true&q=${encodeURIComponent(uri)}`,
  )
  const id = found[type]?.[0]?.id
  if (!id) throw new Error(`${uri} was not found`)
  scene.ids.set(uri, id)
  return id
}

const write = async ({ oracle, people, living, sleeping }: Scene): Promise<void> => {
  const author = pick(people)
  const visibility = pick(['public', 'public', 'unlisted', 'private'])
  const made = await author.call<{ id: string; uri: string }>('POST', '/api/v1/statuses', {
    status: `${visibility} words ${oracle.ours.size} #soak`,
    visibility,
  })
  const audience = new Set([...living, sleeping].map(({ server }) => server.origin))
  oracle.ours.set(made.uri, { ...made, author: author.name, visibility, deleted: false, audience, likes: new Set() })
}

const remove = async ({ people, oracle }: Scene, one: Ours): Promise<void> => {
  const author = people.find((person) => person.name === one.author) as Local
  await author.call('DELETE', `/api/v1/statuses/${one.id}`)
  one.deleted = true
  oracle.count('deleted here')
}

const favourite = async (scene: Scene, one: Theirs): Promise<void> => {
  const person = pick(scene.people)
  const id = await idOf(scene, 'statuses', one.uri)
  const likes = one.likes.has(person.name)
  await person.call('POST', `/api/v1/statuses/${id}/${likes ? 'unfavourite' : 'favourite'}`)
  if (likes) one.likes.delete(person.name)
  else one.likes.add(person.name)
}

const follow = async (scene: Scene, person: Local, actor: RemoteActor): Promise<void> => {
  const id = await idOf(scene, 'accounts', actor.id)
  const following = scene.oracle.following.get(person.name) as Set<string>
  const follows = following.has(actor.id)
  await person.call('POST', `/api/v1/accounts/${id}/${follows ? 'unfollow' : 'follow'}`)
  if (follows) following.delete(actor.id)
  else following.add(actor.id)
}

const writeThere = async ({ oracle }: Scene, { server, steady, send }: Elsewhere): Promise<void> => {
  const note = server.addNote(steady, `<p>words from afar ${oracle.theirs.size}</p>`)
  await send(steady, makeActivity(steady, 'Create', note))
  oracle.theirs.set(note.id, {
    uri: note.id,
    author: steady.id,
    host: server.origin,
    deleted: false,
    likes: new Set(),
  })
}

const removeThere = async ({ oracle }: Scene, { server, steady, send }: Elsewhere, one: Theirs): Promise<void> => {
  server.publish(new URL(one.uri).pathname, undefined)
  await send(steady, makeActivity(steady, 'Delete', { id: one.uri, type: 'Tombstone' }, { to: [PUBLIC] }))
  one.deleted = true
  oracle.count('deleted there')
}

/** Likes or follows, or takes it back as it was given. */
const giveOrTake = async (
  scene: Scene,
  { send }: Elsewhere,
  actor: RemoteActor,
  type: 'Like' | 'Follow',
  object: string,
  standing: Set<string>,
): Promise<void> => {
  const key = `${type} ${actor.id} ${object}`
  const before = scene.given.get(key)
  if (before) {
    await send(actor, makeActivity(actor, 'Undo', before))
    scene.given.delete(key)
    standing.delete(actor.id)
    return
  }
  const activity = makeActivity(actor, type, object)
  await send(actor, activity)
  scene.given.set(key, activity)
  standing.add(actor.id)
}

const bother = async (scene: Scene, { server, fickle, send }: Elsewhere): Promise<void> => {
  const victim = pick(scene.living)
  const theirs = pick([...scene.oracle.theirs.keys(), `${victim.server.origin}/users/steady/statuses/none`])
  const text = pick([...HOSTILE, ...HOSTILE, ...GARBAGE])
    .replaceAll('https://masto.example/users/alice/statuses/1', theirs)
    .replaceAll('https://masto.example/users/alice', victim.steady.id)
    .replaceAll('https://masto.example', victim.server.origin)
    .replaceAll('https://evil.example/users/mallory', fickle.id)
    .replaceAll('https://evil.example', server.origin)
    .replaceAll('https://local.example/users/bob', pick(scene.people).uri)
    .replaceAll('https://local.example', scene.product.origin)
    .replaceAll(/("id": "[^"]*activit[^"]*)"/g, `$1-${Math.random()}"`)
  const status = await send(fickle, text)
  scene.oracle.count(`hostile answered ${status}`)
}

type Deed = { name: string; key: string; act: () => Promise<void> }

/** Chooses what happens next; null when the dice chose something that is not there. */
export const chooseDeed = (scene: Scene): Deed | null => {
  const { oracle, living, people } = scene
  const there = pick(living)
  const ours = [...oracle.ours.values()].filter((one) => !one.deleted)
  const theirs = [...oracle.theirs.values()].filter((one) => !one.deleted)
  const person = pick(people)
  const die = Math.random()
  if (die < 0.16) return { name: 'written here', key: `write ${Math.random()}`, act: () => write(scene) }
  if (die < 0.32) return { name: 'written there', key: `write ${Math.random()}`, act: () => writeThere(scene, there) }
  if (die < 0.4) {
    const { actor, name } = { actor: there.fickle, name: person.name }
    return { name: 'follow here', key: `follow ${name} ${actor.id}`, act: () => follow(scene, person, actor) }
  }
  if (die < 0.48) {
    const standing = oracle.followers.get(person.name) as Set<string>
    const act = () => giveOrTake(scene, there, there.fickle, 'Follow', person.uri, standing)
    return { name: 'follow there', key: `follow ${there.fickle.id} ${person.uri}`, act }
  }
  if (die < 0.58) return { name: 'hostile', key: `hostile ${Math.random()}`, act: () => bother(scene, there) }
  if (die < 0.78) {
    const open = ours.filter((one) => one.visibility !== 'private')
    if (open.length === 0) return null
    const one = pick(open)
    const actor = pick([there.steady, there.fickle])
    return { name: 'like there', key: one.uri, act: () => giveOrTake(scene, there, actor, 'Like', one.uri, one.likes) }
  }
  if (die < 0.9) {
    if (theirs.length === 0) return null
    const one = pick(theirs)
    return { name: 'like here', key: one.uri, act: () => favourite(scene, one) }
  }
  if (die < 0.95) {
    if (ours.length < 10) return null
    const one = pick(ours)
    return { name: 'delete here', key: one.uri, act: () => remove(scene, one) }
  }
  if (theirs.length < 10) return null
  const one = pick(theirs)
  const home = living.find(({ server }) => server.origin === one.host) as Elsewhere
  return { name: 'delete there', key: one.uri, act: () => removeThere(scene, home, one) }
}

/** Everybody steady follows everybody here and is followed by them; people here follow one another in a circle. */
export const introduce = async (scene: Scene): Promise<void> => {
  const { people, living, sleeping, dead, oracle } = scene
  for (const [at, person] of people.entries()) {
    const next = people[(at + 1) % people.length] as Local
    await person.call('POST', `/api/v1/accounts/${next.id}/follow`)
    oracle.circle.get(person.name)?.add(next.name)
    for (const there of [...living, sleeping, dead]) {
      await follow(scene, person, there.steady)
      const standing = oracle.followers.get(person.name) as Set<string>
      await giveOrTake(scene, there, there.steady, 'Follow', person.uri, standing)
    }
  }
}
