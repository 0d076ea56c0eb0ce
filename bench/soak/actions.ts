/** Actions of local and remote users. Each action updates the oracle. */
import { readdirSync, readFileSync } from 'node:fs'
import { type Document, makeActivity, PUBLIC, type RemoteActor } from '@murmuration/testkit/outside/remote-actor'
import type { Oracle, Ours, Theirs } from './oracle.js'
import type { LocalUser, Peer, Setup } from './setup.js'

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

export interface Soak extends Setup {
  oracle: Oracle
  /** Local ids of remote statuses and accounts, by address. */
  ids: Map<string, string>
  /** Remote Likes and Follows that were not undone, by type, actor and object. An Undo needs the original activity. */
  sent: Map<string, Document & { id: string }>
}

/** Local id of a remote account or status. Looks it up over the API the first time. */
export const idOf = async (soak: Soak, type: 'accounts' | 'statuses', uri: string): Promise<string> => {
  const known = soak.ids.get(uri)
  if (known) return known
  const found = await (soak.users[0] as LocalUser).call<Record<string, { id: string }[]>>(
    'GET',
    `/api/v2/search?type=${type}&resolve=true&q=${encodeURIComponent(uri)}`,
  )
  const id = found[type]?.[0]?.id
  if (!id) throw new Error(`${uri} was not found`)
  soak.ids.set(uri, id)
  return id
}

const post = async ({ oracle, users, healthy, hanging }: Soak): Promise<void> => {
  const author = pick(users)
  const visibility = pick(['public', 'public', 'unlisted', 'private'])
  const made = await author.call<{ id: string; uri: string }>('POST', '/api/v1/statuses', {
    status: `${visibility} words ${oracle.ours.size} #soak`,
    visibility,
  })
  const audience = new Set([...healthy, hanging].map(({ server }) => server.origin))
  oracle.ours.set(made.uri, { ...made, author: author.name, visibility, deleted: false, audience, likes: new Set() })
}

const remove = async ({ users, oracle }: Soak, one: Ours): Promise<void> => {
  const author = users.find((user) => user.name === one.author) as LocalUser
  await author.call('DELETE', `/api/v1/statuses/${one.id}`)
  one.deleted = true
  oracle.count('deleted locally')
}

const favourite = async (soak: Soak, one: Theirs): Promise<void> => {
  const user = pick(soak.users)
  const id = await idOf(soak, 'statuses', one.uri)
  const likes = one.likes.has(user.name)
  await user.call('POST', `/api/v1/statuses/${id}/${likes ? 'unfavourite' : 'favourite'}`)
  if (likes) one.likes.delete(user.name)
  else one.likes.add(user.name)
}

const follow = async (soak: Soak, user: LocalUser, actor: RemoteActor): Promise<void> => {
  const id = await idOf(soak, 'accounts', actor.id)
  const following = soak.oracle.following.get(user.name) as Set<string>
  const follows = following.has(actor.id)
  await user.call('POST', `/api/v1/accounts/${id}/${follows ? 'unfollow' : 'follow'}`)
  if (follows) following.delete(actor.id)
  else following.add(actor.id)
}

const postRemote = async ({ oracle }: Soak, { server, steady, send }: Peer): Promise<void> => {
  const note = server.addNote(steady, `<p>remote words ${oracle.theirs.size}</p>`)
  await send(steady, makeActivity(steady, 'Create', note))
  oracle.theirs.set(note.id, {
    uri: note.id,
    author: steady.id,
    host: server.origin,
    deleted: false,
    likes: new Set(),
  })
}

const removeRemote = async ({ oracle }: Soak, { server, steady, send }: Peer, one: Theirs): Promise<void> => {
  server.publish(new URL(one.uri).pathname, undefined)
  await send(steady, makeActivity(steady, 'Delete', { id: one.uri, type: 'Tombstone' }, { to: [PUBLIC] }))
  one.deleted = true
  oracle.count('deleted remotely')
}

/** Sends a Like or Follow, or undoes it if it was sent before. Updates `actors`, the actors who like or follow the object. */
const sendOrUndo = async (
  soak: Soak,
  { send }: Peer,
  actor: RemoteActor,
  type: 'Like' | 'Follow',
  object: string,
  actors: Set<string>,
): Promise<void> => {
  const key = `${type} ${actor.id} ${object}`
  const before = soak.sent.get(key)
  if (before) {
    await send(actor, makeActivity(actor, 'Undo', before))
    soak.sent.delete(key)
    actors.delete(actor.id)
    return
  }
  const activity = makeActivity(actor, type, object)
  await send(actor, activity)
  soak.sent.set(key, activity)
  actors.add(actor.id)
}

const sendHostile = async (soak: Soak, { server, fickle, send }: Peer): Promise<void> => {
  const target = pick(soak.healthy)
  const theirs = pick([...soak.oracle.theirs.keys(), `${target.server.origin}/users/steady/statuses/none`])
  const text = pick([...HOSTILE, ...HOSTILE, ...GARBAGE])
    .replaceAll('https://masto.example/users/alice/statuses/1', theirs)
    .replaceAll('https://masto.example/users/alice', target.steady.id)
    .replaceAll('https://masto.example', target.server.origin)
    .replaceAll('https://evil.example/users/mallory', fickle.id)
    .replaceAll('https://evil.example', server.origin)
    .replaceAll('https://local.example/users/bob', pick(soak.users).uri)
    .replaceAll('https://local.example', soak.product.origin)
    .replaceAll(/("id": "[^"]*activit[^"]*)"/g, `$1-${Math.random()}"`)
  const status = await send(fickle, text)
  soak.oracle.count(`hostile got ${status}`)
}

type Action = { name: string; key: string; act: () => Promise<void> }

/** Chooses a random action; null if it needs an object that does not exist. Actions with the same `key` must not run at the same time. */
export const chooseAction = (soak: Soak): Action | null => {
  const { oracle, healthy, users } = soak
  const peer = pick(healthy)
  const ours = [...oracle.ours.values()].filter((one) => !one.deleted)
  const theirs = [...oracle.theirs.values()].filter((one) => !one.deleted)
  const user = pick(users)
  const random = Math.random()
  if (random < 0.16) return { name: 'local post', key: `write ${Math.random()}`, act: () => post(soak) }
  if (random < 0.32) return { name: 'remote post', key: `write ${Math.random()}`, act: () => postRemote(soak, peer) }
  if (random < 0.4) {
    const { actor, name } = { actor: peer.fickle, name: user.name }
    return { name: 'local follow', key: `follow ${name} ${actor.id}`, act: () => follow(soak, user, actor) }
  }
  if (random < 0.48) {
    const actors = oracle.followers.get(user.name) as Set<string>
    const act = () => sendOrUndo(soak, peer, peer.fickle, 'Follow', user.uri, actors)
    return { name: 'remote follow', key: `follow ${peer.fickle.id} ${user.uri}`, act }
  }
  if (random < 0.58) return { name: 'hostile', key: `hostile ${Math.random()}`, act: () => sendHostile(soak, peer) }
  if (random < 0.78) {
    const open = ours.filter((one) => one.visibility !== 'private')
    if (open.length === 0) return null
    const one = pick(open)
    const actor = pick([peer.steady, peer.fickle])
    return { name: 'remote like', key: one.uri, act: () => sendOrUndo(soak, peer, actor, 'Like', one.uri, one.likes) }
  }
  if (random < 0.9) {
    if (theirs.length === 0) return null
    const one = pick(theirs)
    return { name: 'local like', key: one.uri, act: () => favourite(soak, one) }
  }
  if (random < 0.95) {
    if (ours.length < 10) return null
    const one = pick(ours)
    return { name: 'local delete', key: one.uri, act: () => remove(soak, one) }
  }
  if (theirs.length < 10) return null
  const one = pick(theirs)
  const home = healthy.find(({ server }) => server.origin === one.host) as Peer
  return { name: 'remote delete', key: one.uri, act: () => removeRemote(soak, home, one) }
}

/** Each steady remote actor and each local user follow each other. Local users also follow one another in a circle. */
export const introduce = async (soak: Soak): Promise<void> => {
  const { users, healthy, hanging, dead, oracle } = soak
  for (const [at, user] of users.entries()) {
    const next = users[(at + 1) % users.length] as LocalUser
    await user.call('POST', `/api/v1/accounts/${next.id}/follow`)
    oracle.circle.get(user.name)?.add(next.name)
    for (const peer of [...healthy, hanging, dead]) {
      await follow(soak, user, peer.steady)
      const actors = oracle.followers.get(user.name) as Set<string>
      await sendOrUndo(soak, peer, peer.steady, 'Follow', user.uri, actors)
    }
  }
}
