/**
 * One cluster with AUTHORIZED_FETCH and two servers with Fedify, which also serve notes to signed requests only. One accepts only
 * draft-cavage signatures, the other only RFC 9421.
 */
import { randomUUID } from 'node:crypto'
import {
  Announce,
  Collection,
  Create,
  Delete,
  Follow,
  Like,
  Mention,
  Note,
  Person,
  PUBLIC_COLLECTION,
  Question,
  Tombstone,
  Undo,
  Update,
} from '@fedify/vocab'
import { Temporal } from '@js-temporal/polyfill'
import { publicAddress } from '@murmuration/testkit/outside/network'
import { Agent, setGlobalDispatcher } from 'undici'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Arrived, type Peer, type Scheme, startPeer } from '../federation/fedify-peer.js'
import { type Account, atHome, eventually, find, type Me, person, type Status } from './accounts.js'
import { type Site, startSite, startTrust } from './clusters.js'

const schemes: Scheme[] = ['cavage', 'rfc9421']
let site: Site & { stop(): Promise<void> }
const peers = new Map<Scheme, Peer>()
const people = new Map<Scheme, Me>()

beforeAll(async () => {
  const trust = await startTrust()
  setGlobalDispatcher(new Agent({ connect: { ca: trust.authority.certificate } }))
  const [started, ...others] = await Promise.all([
    startSite('one.example', 1, trust, { AUTHORIZED_FETCH: 'true' }),
    ...schemes.map((scheme, at) =>
      startPeer({
        domain: `${scheme}.example`,
        host: publicAddress(3 + at),
        tls: trust.authority.issue([`${scheme}.example`]),
        scheme,
        people: ['pat'],
      }),
    ),
  ])
  site = started as typeof site
  for (const [at, scheme] of schemes.entries()) {
    peers.set(scheme, others[at] as Peer)
    people.set(scheme, await person(site, `ann_${scheme}`))
  }
})
afterAll(async () => {
  await Promise.all([site?.stop(), ...[...peers.values()].map((peer) => peer.close())])
})

const now = () => Temporal.Now.instant() as never
const objectOf = (arrived: Arrived | undefined): Record<string, unknown> =>
  typeof arrived?.object === 'object' ? arrived.object : { id: arrived?.object }

describe.each(schemes)('Fedify that signs with %s', (scheme) => {
  let peer: Peer
  let ann: Me
  /** Actor id of the local account. */
  let annUri: string
  /** The account of the peer, as this server stores it. */
  let pat: Account
  const patUri = () => peer.ctx.getActorUri('pat')

  /** Waits for an activity of this type at the peer that matches `is`. Returns the newest one. */
  const arrives = async (type: string, is: (arrived: Arrived) => boolean): Promise<Arrived> => {
    const look = () => peer.arrived.filter((one) => one.type === type && is(one)).at(-1)
    await eventually(look, (found) =>
      expect(found, `${type} among ${peer.arrived.map((one) => one.type)}`).toBeTruthy(),
    )
    return look() as Arrived
  }
  const activity = () => ({ id: peer.address('activities'), actor: patUri() })
  const publicly = () => ({ to: PUBLIC_COLLECTION, ccs: [peer.ctx.getFollowersUri('pat'), new URL(annUri)] })

  const write = async (content: string, more: ConstructorParameters<typeof Note>[0] = {}): Promise<Note> => {
    const note = new Note({
      id: peer.address('notes'),
      attribution: patUri(),
      content,
      published: now(),
      ...publicly(),
      ...more,
    })
    peer.keep(note)
    await peer.send('pat', [annUri], new Create({ ...activity(), object: note, ...publicly() }))
    return note
  }

  beforeAll(() => {
    peer = peers.get(scheme) as Peer
    ann = people.get(scheme) as Me
  })

  test('O25 O26 each finds the other by handle', async () => {
    const found = await peer.read('pat', `@${ann.handle}`)
    expect(found).toBeInstanceOf(Person)
    expect((found as Person).preferredUsername).toBe(`ann_${scheme}`)
    annUri = String(found?.id)
    pat = await find(ann, `pat@${peer.domain}`)
    expect(pat).toMatchObject({ acct: `pat@${peer.domain}`, uri: patUri().href })
  })

  test('a follow is accepted, in both directions', async () => {
    await ann.post(`/api/v1/accounts/${pat.id}/follow`)
    await eventually(
      () => ann.get<{ following: boolean }[]>(`/api/v1/accounts/relationships?id[]=${pat.id}`),
      (found) => expect(found[0]?.following).toBe(true),
    )
    expect(peer.followers('pat')).toEqual([annUri])
    const follow = new Follow({ ...activity(), object: new URL(annUri) })
    await peer.send('pat', [annUri], follow)
    const accept = await arrives('Accept', (one) => objectOf(one).id === follow.id?.href)
    expect(accept.actor).toBe(annUri)
    expect(await ann.get<{ followed_by: boolean }[]>(`/api/v1/accounts/relationships?id[]=${pat.id}`)).toMatchObject([
      { followed_by: true },
    ])
  })

  test('O14 a note with a mention arrives in the home timeline, and the reply is delivered', async () => {
    const note = await write(`<p>Hello <a href="${annUri}" class="u-url mention">@ann</a></p>`, {
      tags: [new Mention({ href: new URL(annUri), name: `@${ann.handle}` })],
    })
    const seen = await atHome(ann, String(note.id))
    expect(seen.content).toContain('Hello')
    await eventually(
      () => ann.get<{ status: Status }[]>('/api/v1/notifications?types[]=mention'),
      (found) => expect(found.map((one) => one.status.uri)).toContain(String(note.id)),
    )
    const reply = await ann.post<Status>('/api/v1/statuses', {
      status: `@pat@${peer.domain} hello back`,
      in_reply_to_id: seen.id,
    })
    const create = await arrives('Create', (one) => objectOf(one).id === reply.uri)
    expect(objectOf(create)).toMatchObject({ type: 'Note', inReplyTo: String(note.id), attributedTo: annUri })
    expect(JSON.stringify(objectOf(create).tag)).toContain(patUri().href)
  })

  test('likes and boosts are delivered and undone, in both directions', async () => {
    const note = await write('<p>Like this</p>')
    const seen = await atHome(ann, String(note.id))
    await ann.post(`/api/v1/statuses/${seen.id}/favourite`)
    await ann.post(`/api/v1/statuses/${seen.id}/reblog`)
    const [like, announce] = await Promise.all(
      ['Like', 'Announce'].map((type) => arrives(type, (one) => objectOf(one).id === String(note.id))),
    )
    await ann.post(`/api/v1/statuses/${seen.id}/unfavourite`)
    await ann.post(`/api/v1/statuses/${seen.id}/unreblog`)
    await Promise.all([like, announce].map((given) => arrives('Undo', (one) => objectOf(one).id === given?.id)))

    const ours = await ann.post<Status>('/api/v1/statuses', { status: 'Like this too' })
    const given = {
      like: new Like({ ...activity(), object: new URL(ours.uri) }),
      announce: new Announce({ ...activity(), object: new URL(ours.uri), published: now(), ...publicly() }),
    }
    await peer.send('pat', [annUri], given.like)
    await peer.send('pat', [annUri], given.announce)
    const counts = (favourites: number, reblogs: number) =>
      eventually(
        () => ann.get<Status>(`/api/v1/statuses/${ours.id}`),
        (found) => expect(found).toMatchObject({ favourites_count: favourites, reblogs_count: reblogs }),
      )
    await counts(1, 1)
    await peer.send('pat', [annUri], new Undo({ ...activity(), object: given.like }))
    await peer.send('pat', [annUri], new Undo({ ...activity(), object: given.announce }))
    await counts(0, 0)
  })

  test('O22 an edit is delivered, in both directions', async () => {
    const note = await write('<p>Frist</p>')
    const seen = await atHome(ann, String(note.id))
    const edited = note.clone({ content: '<p>First</p>', updated: now() })
    await peer.send('pat', [annUri], new Update({ ...activity(), object: edited, ...publicly() }))
    await eventually(
      () => ann.get<Status>(`/api/v1/statuses/${seen.id}`),
      (found) => {
        expect(found.content).toContain('First')
        expect(found.edited_at).not.toBeNull()
      },
    )
    const ours = await ann.post<Status>('/api/v1/statuses', { status: 'Secnod' })
    await arrives('Create', (one) => objectOf(one).id === ours.uri)
    await ann.put(`/api/v1/statuses/${ours.id}`, { status: 'Second' })
    const update = await arrives('Update', (one) => objectOf(one).id === ours.uri)
    expect(objectOf(update)).toMatchObject({ type: 'Note', content: expect.stringContaining('Second') })
    expect(Date.parse(String(objectOf(update).updated))).toBeGreaterThan(0)
  })

  test('O24 a vote in a poll is counted, in both directions', async () => {
    const option = (name: string, votes: number) => new Note({ name, replies: new Collection({ totalItems: votes }) })
    const question = new Question({
      id: peer.address('polls'),
      attribution: patUri(),
      content: '<p>Tea?</p>',
      published: now(),
      endTime: Temporal.Now.instant().add({ hours: 1 }) as never,
      exclusiveOptions: [option('Yes', 2), option('No', 0)],
      voters: 2,
      ...publicly(),
    })
    peer.keep(question)
    await peer.send('pat', [annUri], new Create({ ...activity(), object: question, ...publicly() }))
    const seen = await atHome(ann, String(question.id))
    expect(seen.poll?.options).toMatchObject([
      { title: 'Yes', votes_count: 2 },
      { title: 'No', votes_count: 0 },
    ])
    await ann.post(`/api/v1/polls/${seen.poll?.id}/votes`, { choices: [1] })
    const vote = await arrives('Create', (one) => objectOf(one).inReplyTo === String(question.id))
    expect(objectOf(vote)).toMatchObject({ type: 'Note', name: 'No', attributedTo: annUri })
    expect(objectOf(vote).content).toBeUndefined()
    const counted = question.clone({ exclusiveOptions: [option('Yes', 2), option('No', 1)], voters: 3 })
    await peer.send('pat', [annUri], new Update({ ...activity(), object: counted, ...publicly() }))
    await eventually(
      () => ann.get<Status>(`/api/v1/statuses/${seen.id}`),
      (found) => expect(found.poll?.options.map((one) => one.votes_count)).toEqual([2, 1]),
    )

    const ours = await ann.post<Status>('/api/v1/statuses', {
      status: 'Coffee?',
      poll: { options: ['Black', 'White'], expires_in: 3_600 },
    })
    const create = await arrives('Create', (one) => objectOf(one).id === ours.uri)
    expect(objectOf(create).type).toBe('Question')
    const ballot = new Note({
      id: peer.address('notes'),
      attribution: patUri(),
      name: 'White',
      replyTarget: new URL(ours.uri),
      to: new URL(annUri),
    })
    await peer.send('pat', [annUri], new Create({ ...activity(), object: ballot, to: new URL(annUri) }))
    await eventually(
      () => ann.get<Status>(`/api/v1/statuses/${ours.id}`),
      (found) => expect(found.poll?.options.map((one) => one.votes_count)).toEqual([0, 1]),
    )
  })

  test('O27 T4 documents are served to signed requests only', async () => {
    const ours = await ann.post<Status>('/api/v1/statuses', { status: 'Only for those who sign' })
    const unsigned = await fetch(ours.uri, { headers: { accept: 'application/activity+json' } })
    expect(unsigned.status).toBe(401)
    expect((await fetch(`${site.origin}/actor`, { headers: { accept: 'application/activity+json' } })).status).toBe(200)
    const read = await peer.read('pat', ours.uri)
    expect(read).toBeInstanceOf(Note)
    expect(String(read?.id)).toBe(ours.uri)

    const theirs = new Note({
      id: peer.address('notes'),
      attribution: patUri(),
      content: '<p>Not for everybody</p>',
      published: now(),
      to: PUBLIC_COLLECTION,
    })
    peer.keep(theirs)
    const asked = await fetch(theirs.id as URL, { headers: { accept: 'application/activity+json' } })
    expect(asked.status).toBe(401)
    const { statuses } = await ann.get<{ statuses: Status[] }>(
      `/api/v2/search?type=statuses&resolve=true&q=${encodeURIComponent(String(theirs.id))}`,
    )
    expect(statuses.map((one) => one.uri)).toEqual([String(theirs.id)])
  })

  test('a followers-only status is delivered to a follower, who may fetch it, and to no other account', async () => {
    const ours = await ann.post<Status>('/api/v1/statuses', { status: 'Among us', visibility: 'private' })
    const create = await arrives('Create', (one) => objectOf(one).id === ours.uri)
    expect(JSON.stringify(create)).not.toContain('Public')
    expect(String((await peer.read('pat', ours.uri))?.id)).toBe(ours.uri)
    const other = peers.get(schemes.find((one) => one !== scheme) as Scheme) as Peer
    expect(await other.read('pat', ours.uri)).toBeNull()
  })

  test('O23 a deletion is delivered, in both directions', async () => {
    const note = await write('<p>Soon gone</p>')
    const seen = await atHome(ann, String(note.id))
    await peer.send(
      'pat',
      [annUri],
      new Delete({ ...activity(), object: new Tombstone({ id: note.id }), ...publicly() }),
    )
    await eventually(
      () =>
        ann.get(`/api/v1/statuses/${seen.id}`).then(
          () => 'there',
          (error: Error) => error.message,
        ),
      (found) => expect(found).toContain('404'),
    )
    const ours = await ann.post<Status>('/api/v1/statuses', { status: 'Gone soon' })
    await arrives('Create', (one) => objectOf(one).id === ours.uri)
    await ann.remove(`/api/v1/statuses/${ours.id}`)
    const gone = await arrives('Delete', (one) => objectOf(one).id === ours.uri)
    expect(objectOf(gone).type).toBe('Tombstone')
  })

  test('O20 an unfollow is delivered, in both directions', async () => {
    await ann.post(`/api/v1/accounts/${pat.id}/unfollow`)
    await eventually(
      () => peer.followers('pat'),
      (found) => expect(found).toEqual([]),
    )
    const follow = new Follow({
      id: peer.address(`activities/${randomUUID()}`),
      actor: patUri(),
      object: new URL(annUri),
    })
    await peer.send('pat', [annUri], new Undo({ ...activity(), object: follow }))
    await eventually(
      () => ann.get<{ followed_by: boolean }[]>(`/api/v1/accounts/relationships?id[]=${pat.id}`),
      (found) => expect(found[0]?.followed_by).toBe(false),
    )
  })

  test('all requests were signed with the scheme that this server accepts', () => {
    expect([...peer.schemes]).toEqual([scheme])
  })
})
