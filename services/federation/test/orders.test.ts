/** In every order of arrival, once or twice, one by one or all before processing, the activity with the latest signature decides. */
import { collectionsOfAccount, createFollow, listRelationships as relationships } from '@murmuration/contracts/accounts'
import { flagReceived } from '@murmuration/contracts/federation'
import {
  createStatus,
  setInteractionPolicy as interactions,
  listFeaturedTagsOf,
  resolveStatus,
  showStatus,
  statusRecords,
} from '@murmuration/contracts/statuses'
import { sql } from '@murmuration/db'
import { type Document, makeActivity, PUBLIC, type RemoteActor } from '@murmuration/testkit/outside/remote-actor'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { agree, collectionNode, itemNode } from './collection-nodes.js'
import { type Fixture, type LocalAccount, startFixture } from './fixture.js'

type Activity = Document & { id?: string | undefined }

/** One case: activities in the order of their signatures, and the state afterwards. */
interface Run {
  said: Activity[]
  seen(): Promise<unknown>
}

interface Case {
  /** State after the first n activities, from none on; the last entry holds for all further ones. */
  after: unknown[]
  begin(): Promise<Run>
  /** True if the case also holds when the first activity arrives late with a new signature. */
  late?: boolean
  /** Orders for which the result is defined. */
  knowable?: (order: readonly number[]) => boolean
}

let fixture: Fixture
/** Remote account of the current way. */
let rita: RemoteActor
let made = 0
/** Remote account with lists on its profile, which bob follows. */
const appear = async () => {
  const id = `${fixture.remote.origin}/users/r${++made}`
  const actor = await fixture.remote.addActor(`r${made}`, { featured: `${id}/featured` })
  await fixture.follow(fixture.bob, actor)
  return actor
}
beforeAll(async () => {
  fixture = await startFixture()
})
afterAll(() => fixture.harness.stop())

/** Local accounts. Each run of a way takes its own; the next way reuses them with a new remote account. */
const accounts: LocalAccount[] = []
let taken = 0
const fresh = async (): Promise<LocalAccount> => {
  const index = taken++
  const account = accounts[index] ?? (await fixture.harness.createAccount(`p${index}`))
  accounts[index] = account
  return account
}
const start = Math.floor(Date.now() / 1_000) * 1_000
const orders = <T>(all: readonly T[]): T[][] =>
  all.length < 2 ? [[...all]] : all.flatMap((one, i) => orders(all.toSpliced(i, 1)).map((rest) => [one, ...rest]))

const ritaId = async () => (await fixture.harness.account(rita.id))?.id ?? ''
const own = async () => {
  const author = await fresh()
  return { author, ...(await fixture.write({ status: 'look' }, author)) }
}
const undo = (activity: Document & { id: string }, extra: Document = {}) => makeActivity(rita, 'Undo', activity, extra)
const counts = async (id: string, author: LocalAccount) => {
  const { favourites_count, reblogs_count } = await fixture.harness.call(showStatus, { id }, author)
  return favourites_count + reblogs_count
}
const words = async (uri: string) => {
  const [record] = (await fixture.harness.call(statusRecords, { uris: [uri] })).records
  if (record === undefined || record.deleted) return null
  return ((await fixture.harness.call(showStatus, { id: record.id }, fixture.bob)).content ?? '').replace(
    /<[^>]+>/g,
    '',
  )
}
const relation = async (whom: LocalAccount) =>
  (await fixture.harness.call(relationships, { id: [await ritaId()] }, whom))[0]
const follows = async (whom: LocalAccount) => (await relation(whom))?.followed_by
const blocks = async (whom: LocalAccount) => (await relation(whom))?.blocked_by
const interacted =
  (type: string, name: 'same' | 'other'): (() => Promise<Run>) =>
  async () => {
    const { author, id, uri } = await own()
    const act = () => makeActivity(rita, type, uri, { to: [PUBLIC], content: '🐦' })
    const first = act()
    const again = name === 'same' ? first : act()
    return { said: [first, undo(first), again, undo(again)], seen: () => counts(id, author) }
  }
const relating =
  (type: 'Follow' | 'Block', name: 'same' | 'other'): (() => Promise<Run>) =>
  async () => {
    const ann = await fresh()
    const act = () => makeActivity(rita, type, ann.uri)
    const first = act()
    const again = name === 'same' ? first : act()
    return { said: [first, undo(first), again, undo(again)], seen: () => (type === 'Follow' ? follows : blocks)(ann) }
  }
const following = (name: 'same' | 'other') => relating('Follow', name)
const blocking = (name: 'same' | 'other') => relating('Block', name)
const first = (run: () => Promise<Run>, n: number) => async (): Promise<Run> => {
  const { said: sent, seen } = await run()
  return { said: sent.slice(0, n), seen }
}
const kept = async (uri: string) => {
  const { collections } = await fixture.harness.call(collectionsOfAccount, { id: await ritaId() })
  return collections.find((one) => one.uri === uri)
}
const listed = `featured_collections`
const addCollection = (node: Document) =>
  makeActivity(rita, 'Add', node, { target: `${rita.id}/${listed}`, id: undefined, to: undefined })

const cases: Record<string, Case> = {
  'a status, its edit and its end': {
    after: [null, 'one', 'two', null],
    late: true,
    async begin() {
      const note = fixture.note(rita, { content: 'one', published: new Date(start - 60_000).toISOString() })
      const edit = { ...note, content: 'two', updated: new Date(start - 10_000).toISOString() }
      const sent = [makeActivity(rita, 'Create', note), makeActivity(rita, 'Update', edit)]
      const gone = { id: note.id, type: 'Tombstone' }
      return { said: [...sent, makeActivity(rita, 'Delete', gone, { to: [PUBLIC] })], seen: () => words(note.id) }
    },
  },
  'a status and two edits': {
    after: [null, 'one', 'two', 'three'],
    late: true,
    async begin() {
      const note = fixture.note(rita, { content: 'one', published: new Date(start - 60_000).toISOString() })
      const edit = (content: string, n: number) =>
        makeActivity(rita, 'Update', { ...note, content, updated: new Date(start - 10_000 + n * 1_000).toISOString() })
      return {
        said: [makeActivity(rita, 'Create', note), edit('two', 1), edit('three', 2)],
        seen: () => words(note.id),
      }
    },
  },
  'a status and its end, by its address alone': {
    after: [null, 'one', null],
    late: true,
    async begin() {
      const note = fixture.note(rita, { content: 'one', published: new Date(start - 60_000).toISOString() })
      return {
        said: [makeActivity(rita, 'Create', note), makeActivity(rita, 'Delete', note.id)],
        seen: () => words(note.id),
      }
    },
  },
  'a follow and its undoing': { after: [false, true, false], begin: first(following('same'), 2), late: true },
  'a follow sent again under its id': {
    after: [false, true, false, true],
    begin: first(following('same'), 3),
    // An Undo that arrives before the first Follow counts as the Undo of that Follow.
    knowable: (order) => !order.includes(2) || order.indexOf(0) < order.indexOf(2),
  },
  'a follow sent again under another id': { after: [false, true, false, true], begin: first(following('other'), 3) },
  'a follow undone, sent again and undone': { after: [false, true, false, true, false], begin: following('other') },
  'a like and its undoing': { after: [0, 1, 0], begin: first(interacted('Like', 'same'), 2), late: true },
  'a like sent again under another id': { after: [0, 1, 0, 1], begin: first(interacted('Like', 'other'), 3) },
  'a reaction and its undoing': { after: [0, 1, 0], begin: first(interacted('EmojiReact', 'same'), 2), late: true },
  'a boost and its undoing': { after: [0, 1, 0], begin: first(interacted('Announce', 'same'), 2), late: true },
  'a boost sent again under another id': { after: [0, 1, 0, 1], begin: first(interacted('Announce', 'other'), 3) },
  'a block and its undoing': { after: [false, true, false], begin: first(blocking('same'), 2), late: true },
  'a block sent again under another id': { after: [false, true, false, true], begin: first(blocking('other'), 3) },
  'a block undone, sent again and undone': { after: [false, true, false, true, false], begin: blocking('other') },
  'a follow and a block': {
    after: [false, true, false],
    async begin() {
      const ann = await fresh()
      return {
        said: [makeActivity(rita, 'Follow', ann.uri), makeActivity(rita, 'Block', ann.uri)],
        seen: () => follows(ann),
      }
    },
  },
  'a pin put on and taken off': {
    after: [0, 1, 0, 1],
    async begin() {
      const note = fixture.note(rita, { content: 'pinned' })
      await fixture.harness.outcome(fixture.remote, makeActivity(rita, 'Create', note), { as: rita })
      const featured = `${rita.id}/featured`
      const put = (type: string) => makeActivity(rita, type, note.id, { target: featured, id: undefined })
      const [record] = (await fixture.harness.call(statusRecords, { uris: [note.id] })).records
      return {
        said: [put('Add'), put('Remove'), put('Add')],
        seen: async () =>
          (await fixture.harness.db('statuses').rows(sql`select 1 from pins where status_id = ${record?.id ?? '0'}`))
            .length,
      }
    },
  },
  'a hashtag put on a profile and taken off': {
    after: [false, true, false, true],
    async begin() {
      const name = `#tag${++made}`
      const tag = { type: 'Hashtag', name, href: `${rita.id}/tagged/${made}` }
      const put = (type: string) =>
        makeActivity(rita, type, tag, { target: `${rita.id}/featured`, id: undefined, to: undefined })
      return {
        said: [put('Add'), put('Remove'), put('Add')],
        seen: async () =>
          (await fixture.harness.call(listFeaturedTagsOf, { id: await ritaId() })).some((it) => `#${it.name}` === name),
      }
    },
  },
  'a collection, its new name and its end': {
    after: [undefined, 'Birds', 'Owls', undefined],
    async begin() {
      const node = collectionNode(rita)
      return {
        said: [
          addCollection(node),
          makeActivity(rita, 'Update', { ...node, name: 'Owls' }),
          makeActivity(rita, 'Delete', { id: node.id, type: 'FeaturedCollection' }),
        ],
        seen: async () => (await kept(node.id))?.name,
      }
    },
  },
  'a collection and its end, by a tombstone': {
    after: [undefined, 'Birds', undefined],
    late: true,
    async begin() {
      const node = collectionNode(rita)
      return {
        said: [addCollection(node), makeActivity(rita, 'Delete', { id: node.id, type: 'Tombstone' })],
        seen: async () => (await kept(node.id))?.name,
      }
    },
  },
  'a collection put on a profile, taken off and put on': {
    after: [undefined, 'Birds', undefined, 'Birds'],
    async begin() {
      const node = collectionNode(rita)
      const off = makeActivity(rita, 'Remove', node.id, { target: `${rita.id}/${listed}`, id: undefined })
      return { said: [addCollection(node), off, addCollection(node)], seen: async () => (await kept(node.id))?.name }
    },
  },
  'an account put into a collection and taken out': {
    after: [0, 1, 0, 1],
    async begin() {
      const node = collectionNode(rita)
      await fixture.harness.outcome(fixture.remote, addCollection(node), { as: rita })
      const it = { account: fixture.vera.id, authorization: agree(fixture.remote, fixture.vera, node.id) }
      const item = itemNode(node.id, 1, it)
      const how = { target: node.id, id: undefined, to: undefined }
      const [put, off] = [makeActivity(rita, 'Add', item, how), makeActivity(rita, 'Remove', item.id, how)]
      return { said: [put, off, put], seen: async () => (await kept(node.id))?.item_count }
    },
  },
  'the answer to a follow of ours': {
    after: [false, true, false],
    async begin() {
      const ann = await fresh()
      await fixture.harness.call(createFollow, { id: await ritaId() }, ann)
      const asked = await fixture.harness
        .db('accounts')
        .row<{ uri: string }>(sql`select uri from follow_requests where account_id = ${ann.id}`)
      const uri = asked?.uri ?? ''
      return {
        said: [makeActivity(rita, 'Accept', uri), makeActivity(rita, 'Reject', uri)],
        seen: async () => (await relation(ann))?.following,
      }
    },
  },
  'the answer to a quote of ours, and its end': {
    after: ['hidden', 'accepted', 'hidden'],
    begin: async () => quoting((stamp) => makeActivity(rita, 'Delete', { id: stamp, type: 'QuoteAuthorization' })),
  },
  'two answers to a quote of ours': {
    after: ['hidden', 'accepted', 'hidden'],
    begin: async () => quoting((_stamp, request) => makeActivity(rita, 'Reject', request)),
  },
  'a vote': {
    after: [0, 1],
    async begin() {
      const author = await fresh()
      const poll = { options: ['Red', 'Blue'], expires_in: 3_600, multiple: true }
      const { id } = await fixture.harness.call(createStatus, { status: 'which', poll } as never, author)
      const uri = (await fixture.harness.call(statusRecords, { ids: [id] })).records[0]?.uri
      const object = { id: `${rita.id}#votes/${id}`, type: 'Note', name: 'Blue', attributedTo: rita.id, inReplyTo: uri }
      return {
        said: [makeActivity(rita, 'Create', { ...object, to: [author.uri] })],
        seen: async () => (await fixture.harness.call(showStatus, { id }, author)).poll?.votes_count,
      }
    },
  },
  'a report': {
    after: [0, 1],
    async begin() {
      const comment = `report ${++made}`
      return {
        said: [
          makeActivity(rita, 'Flag', fixture.bob.uri, { content: comment, ...(made % 2 ? { id: undefined } : {}) }),
        ],
        seen: async () =>
          (
            await fixture.harness.db('federation').rows(sql`select 1 from outbox
              where subject = ${flagReceived.subject} and data::jsonb->>'comment' = ${comment}`)
          ).length,
      }
    },
  },
  'a question to quote, and the end of what asks': {
    after: [null, 'quoting', null],
    late: true,
    async begin() {
      const { author, uri } = await own()
      const note = fixture.note(rita, { content: 'quoting', quote: uri })
      await fixture.harness.call(interactions, { id: (await idOf(uri)) ?? '', quote_approval_policy: 'public' }, author)
      return {
        said: [
          makeActivity(rita, 'QuoteRequest', uri, { instrument: note }),
          makeActivity(rita, 'Delete', { id: note.id, type: 'Tombstone' }),
        ],
        seen: () => words(note.id),
      }
    },
  },
}

const idOf = async (uri: string) => (await fixture.harness.call(statusRecords, { uris: [uri] })).records[0]?.id
/** A quote that is pending, rejected or revoked is hidden. */
const shown = (state: string | undefined) => (state === 'accepted' ? state : 'hidden')
const quoting = async (then: (stamp: string, request: string) => Activity): Promise<Run> => {
  const note = fixture.remote.addNote(rita, 'words', {
    interactionPolicy: { canQuote: { automaticApproval: [PUBLIC] } },
  })
  const { id: quoted } = await fixture.harness.call(resolveStatus, { uri: note.id, viewer: null })
  const author = await fresh()
  const { id } = await fixture.harness.call(createStatus, { status: 'q', quoted_status_id: quoted } as never, author)
  await fixture.harness.waitForIdle()
  const [request, stamp] = [`${author.uri}/quote_requests/${id}`, `${rita.id}/stamps/${++made}`]
  return {
    said: [makeActivity(rita, 'Accept', request, { result: stamp }), then(stamp, request)],
    seen: async () => shown((await fixture.harness.call(showStatus, { id }, author)).quote?.state),
  }
}

/** Each processed before the next arrives; all received before any is processed; all received at the same time. */
const ways = ['one by one', 'together', 'at once'] as const
const named = <T>(all: readonly T[], n: number): T[] => all.slice(0, n)

test.each(Object.keys(cases))('%s', async (name) => {
  const { after, begin, late = false, knowable = () => true } = cases[name] as Case
  const indexes = after.slice(1).map((_, k) => k)
  const plans = indexes
    .flatMap((_, n) => orders(named(indexes, n + 1)).filter(knowable))
    .flatMap((order) => (late ? [false, true] : [false]).map((anew) => ({ order, anew })))
  const send = async (activity: Activity | undefined, n: number) => {
    if (activity === undefined) return
    const how = { as: rita, now: new Date(start + n * 1_000) }
    expect((await fixture.harness.deliver(fixture.remote, activity, how)).status).toBe(202)
  }
  for (const way of ways) {
    rita = await appear()
    taken = 0
    const runs: (Run & { title: string; expected: unknown; letters: { activity: Activity; n: number }[] })[] = []
    for (const { order, anew } of plans) {
      // Concurrent requests arrive in an unknown order.
      if (way === 'at once' && !orders(order).every(knowable)) continue
      const run = await begin()
      const once = order.map((k, at) => ({ activity: run.said[k] as Activity, n: 2 * (anew ? at : k) }))
      const title = `${way}: ${order.map((k) => k + 1).join(' ')}${anew ? ', signed as they come' : ''}`
      runs.push({ ...run, title, expected: after[order.length], letters: [...once, ...once] })
    }
    const longest = Math.max(...runs.map((run) => run.letters.length))
    if (way === 'one by one')
      for (let at = 0; at < longest; at++) {
        await Promise.all(runs.map(({ letters }) => send(letters[at]?.activity, letters[at]?.n ?? 0)))
        await fixture.harness.waitForIdle()
      }
    else if (way === 'together')
      await Promise.all(
        runs.map(async ({ letters }) => {
          for (const { activity, n } of letters) await send(activity, n)
        }),
      )
    else await Promise.all(runs.flatMap(({ letters }) => letters.map(({ activity, n }) => send(activity, n))))
    await fixture.harness.waitForIdle()
    const seen = await Promise.all(runs.map(async ({ title, seen }) => [title, await seen()] as const))
    expect(Object.fromEntries(seen)).toEqual(Object.fromEntries(runs.map(({ title, expected }) => [title, expected])))
  }
})
