/** Tests of attachments of statuses: one status each, all or none, and a day until they are deleted. */
import {
  attachmentCards,
  attachmentInvalidation,
  attachmentRecords,
  checkedAttachments,
  deleteAttachment,
  putRemoteAttachments,
  recheckAttachments,
  releaseAttachments,
  reservedAttachments,
  returnAttachments,
  showAttachment,
  takeAttachments,
  uploadAttachment,
} from '@murmuration/contracts/media'
import { sql } from '@murmuration/db'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { alice, attachmentOf, bob, type Harness, startHarness } from './harness.js'
import { noise } from './pictures.js'

let harness: Harness
let jpeg: Buffer
beforeAll(async () => {
  harness = await startHarness({ MEDIA_FFMPEG: 'off' })
  jpeg = await noise(40, 30).jpeg().toBuffer()
})
afterAll(() => harness.stop())

const uploaded = async (as = alice, more: object = {}) =>
  attachmentOf(await harness.request(uploadAttachment, { file: await harness.stage(jpeg), ...more }, as)).id
const take = (ids: string[], status: string, more: object = {}) =>
  harness.cluster.call(takeAttachments, { owner: alice.id, ids, status, ...more })

test('F067 of two concurrent statuses with the same attachment one gets it', async () => {
  const [id, other] = [await uploaded(), await uploaded()]
  const statuses = ['101', '102', '103', '104']
  const answers = await Promise.all(statuses.map((status) => take([id, other], status)))
  const winners = answers.filter((answer) => answer.missing.length === 0)
  expect(winners).toHaveLength(1)
  expect(winners[0]?.taken.map((one) => one.id)).toEqual([id, other])
  for (const answer of answers.filter((one) => one.missing.length > 0))
    expect(answer).toEqual({ taken: [], missing: [id, other], unprocessed: [] })
})

test('no attachment is taken if one is unknown, of another account, or not ready', async () => {
  const [mine, yours, unready] = [await uploaded(), await uploaded(bob), await uploaded()]
  await harness.cluster.db('media').run(sql`update attachments set state = 'processing' where id = ${unready}`)
  expect(await take([mine, yours, '9', unready], '201')).toEqual({
    taken: [],
    missing: [yours, '9'],
    unprocessed: [unready],
  })
  expect((await harness.request(showAttachment, { id: mine })).status).toBe(200)
  await harness.cluster.db('media').run(sql`update attachments set state = 'failed' where id = ${unready}`)
  expect((await take([unready], '201')).unprocessed).toEqual([unready])
  expect((await harness.request(showAttachment, { id: yours }, bob)).status).toBe(200)
})

test('attachments go from a scheduled status to one of its attempts, to the next one, and back', async () => {
  const id = await uploaded()
  expect((await take([id], '401', { scheduled: true })).missing).toEqual([])
  expect((await take([id], '402', { from: '401' })).missing).toEqual([])
  expect((await take([id], '403', { from: '401' })).missing).toEqual([id])
  expect((await take([id], '403', { from: '401', formerHolders: ['402'] })).missing).toEqual([])
  const giveBack = (attempts: string[], ids = [id]) =>
    harness.cluster.call(returnAttachments, { attempts, ids, scheduled: '401' })
  expect(await giveBack(['402'])).toEqual({ returned: 0 })
  expect(await giveBack(['403'], [])).toEqual({ returned: 0 })
  const rows = () =>
    harness.cluster.db('media').rows(sql`select status, scheduled, loose_since from attachments where id = ${id}`)
  expect(await rows()).toEqual([{ status: '403', scheduled: false, loose_since: null }])
  expect(await giveBack(['402', '403'])).toEqual({ returned: 1 })
  expect(await rows()).toEqual([{ status: '401', scheduled: true, loose_since: null }])
  expect((await harness.request(showAttachment, { id })).status).toBe(200)
  // The deletion of the scheduled status names its attempts too.
  expect(await harness.cluster.call(releaseAttachments, { status: ['401', '402', '403'], ids: [id] })).toEqual({
    released: 1,
  })
  expect(await giveBack(['403'])).toEqual({ returned: 0 })
  expect(await rows()).toMatchObject([{ status: null }])
})

test('the same status may take its attachments again, with new descriptions', async () => {
  const id = await uploaded(alice, { description: 'first', focus: '0.5,0.5' })
  expect((await take([id], '301')).taken[0]).toMatchObject({
    id,
    type: 'image',
    media_type: 'image/jpeg',
    width: 40,
    height: 30,
  })
  const again = await take([id, id], '301', {
    edits: [
      { id, description: 'second' },
      { id: '1', description: 'not mine' },
    ],
  })
  expect(again.taken).toHaveLength(1)
  expect(again.taken[0]).toMatchObject({ description: 'second', focus: [0.5, 0.5], remote_url: null })
  const none = await take([id], '301', { edits: [{ id, description: null, focus: [0, -1] }] })
  expect(none.taken[0]).toMatchObject({ description: null, focus: [0, -1] })
})

test('S-107 an attachment of a scheduled status stays readable for its owner, and moves to the published status', async () => {
  const id = await uploaded()
  await take([id], '401', { scheduled: true })
  expect((await harness.request(showAttachment, { id })).status).toBe(200)
  expect((await harness.request(deleteAttachment, { id })).status).toBe(422)
  expect((await take([id], '402')).missing).toEqual([id])
  expect((await take([id], '402', { from: '401' })).missing).toEqual([])
  expect((await harness.request(showAttachment, { id })).status).toBe(404)
})

test('released attachments of a status can be taken again, all or some of them', async () => {
  const ids = [await uploaded(), await uploaded(), await uploaded()]
  await take(ids, '501')
  expect(await harness.cluster.call(releaseAttachments, { status: '501', ids: ids.slice(0, 1) })).toEqual({
    released: 1,
  })
  expect((await take(ids.slice(0, 1), '502')).missing).toEqual([])
  expect(await harness.cluster.call(releaseAttachments, { status: '501' })).toEqual({ released: 2 })
  expect(await harness.cluster.call(releaseAttachments, { status: '501' })).toEqual({ released: 0 })
  expect((await harness.request(showAttachment, { id: ids[1] ?? '' })).status).toBe(200)
})

test('attachments of a status can be deleted at once', async () => {
  const id = await uploaded()
  const key = harness.keyOf((await harness.request(showAttachment, { id })).body.url)
  await take([id], '601')
  await harness.cluster.call(releaseAttachments, { status: '601', atOnce: true })
  expect((await harness.request(showAttachment, { id })).status).toBe(404)
  expect(await harness.blobs.head(key)).toBeNull()
})

test('several statuses release attachments in one call', async () => {
  const [one, two] = [await uploaded(), await uploaded()]
  await take([one], '651')
  await take([two], '652')
  const several = { status: ['651', '652', '653'], ids: [one, two], atOnce: true }
  expect(await harness.cluster.call(releaseAttachments, several)).toEqual({ released: 2 })
  expect((await harness.request(showAttachment, { id: two })).status).toBe(404)
})

test('cards and records are returned by id in one batch, whatever status contains the attachment', async () => {
  const ids = [await uploaded(alice, { description: 'a' }), await uploaded(bob)]
  await take(ids.slice(0, 1), '701')
  const cards = await harness.cluster.call(attachmentCards, { ids: [...ids, '7'] })
  expect([...cards.keys()].sort()).toEqual([...ids].sort())
  expect(JSON.parse(cards.get(ids[0] ?? '') ?? '')).toMatchObject({ id: ids[0], description: 'a', type: 'image' })
  const { records } = await harness.cluster.call(attachmentRecords, { ids: [ids[1] ?? '', '7', ids[0] ?? ''] })
  expect(records.map((one) => one.id)).toEqual([ids[1], ids[0]])
})

test('one query reads the attachments of a page, with an index', async () => {
  const db = harness.cluster.db('media')
  const plans = await db.tx(async (tx) => {
    await tx.run(sql`set local enable_seqscan = off`)
    const byId = await tx.rows(sql`explain select * from attachments where id = any('{1,2}'::bigint[])`)
    const byStatus = await tx.rows(sql`explain select id from attachments where status = 5`)
    const loose = await tx.rows(
      sql`explain select id from attachments where status is null and loose_since < now() order by loose_since limit 5`,
    )
    const due = await tx.rows(sql`explain select key from loose_files where due_at <= now() order by due_at limit 5`)
    return [byId, byStatus, loose, due].map((plan) => JSON.stringify(plan))
  })
  const indexes = ['attachments_pkey', 'attachments_status', 'attachments_loose', 'loose_files_due']
  expect(plans.map((plan, at) => plan.includes(indexes[at] ?? ''))).toEqual([true, true, true, true])
})

test('a remote status that is stored repeatedly keeps ids of remaining attachments, and removed ones are deleted', async () => {
  const file = (name: string, more: object = {}) => ({
    url: `https://remote.example/${name}`,
    media_type: 'image/jpeg',
    description: null,
    blurhash: null,
    width: 400,
    height: 300,
    focus: null,
    ...more,
  })
  const put = (attachments: ReturnType<typeof file>[]) =>
    harness.cluster.call(putRemoteAttachments, { owner: '99', status: '801', attachments })
  const { ids } = await put([file('a'), file('b'), file('a')])
  expect(ids).toHaveLength(2)
  const again = await put([file('b', { description: 'now\0 described' }), file('c'), file('a')])
  expect([again.ids[0], again.ids[2]]).toEqual([ids[1], ids[0]])
  const { records } = await harness.cluster.call(attachmentRecords, { ids: again.ids })
  expect(records[0]).toMatchObject({ remote_url: 'https://remote.example/b', description: 'now described', width: 400 })
  const kept = { owner: '99', status: '801', attachments: [file('c')], keepOthers: true }
  expect((await harness.cluster.call(putRemoteAttachments, kept)).ids).toEqual([again.ids[1]])
  expect((await harness.cluster.call(attachmentRecords, { ids })).records).toHaveLength(2)
  expect((await put([file('c')])).ids).toEqual([again.ids[1]])
  expect(await harness.cluster.call(attachmentRecords, { ids })).toEqual({ records: [] })
})

test('A154 A134 forbidden addresses and addresses of this server are left out', async () => {
  const own = `http://${harness.cluster.env.LOCAL_DOMAIN}/system/media/1`
  const urls = [
    'javascript:1',
    'data:image/png;base64,AA',
    'https://a:b@remote.example/x',
    own,
    'no address',
    `https://x.example/${'a'.repeat(3_000)}`,
  ]
  const { ids } = await harness.cluster.call(putRemoteAttachments, {
    owner: '99',
    status: '901',
    attachments: urls.map((url) => ({
      url,
      media_type: 'image/png',
      description: null,
      blurhash: '<script>',
      width: -1,
      height: 2,
      focus: [9, 9] as [number, number],
    })),
  })
  expect(ids).toEqual([])
})

test('A153 implausible declarations of remote files are ignored', async () => {
  const { ids } = await harness.cluster.call(putRemoteAttachments, {
    owner: '99',
    status: '902',
    attachments: [
      {
        url: 'https://remote.example/1',
        media_type: 'image/png',
        description: 'x',
        blurhash: 'a"><script>',
        width: 1e9,
        height: 2,
        focus: [9, -9],
      },
      {
        url: 'https://remote.example/2',
        media_type: 'application/pdf',
        description: null,
        blurhash: null,
        width: null,
        height: null,
        focus: null,
      },
    ],
  })
  await harness.rule()
  const cards = await harness.cluster.call(attachmentCards, { ids })
  const [picture, document] = ids.map((id) => JSON.parse(cards.get(id) ?? ''))
  expect(picture).toMatchObject({ type: 'image', blurhash: null, meta: { focus: { x: 1, y: -1 } } })
  expect(picture.url).toMatch(/\/media_proxy\/a\d+-[0-9a-f]{40}$/)
  expect(document).toMatchObject({ type: 'unknown', url: null, preview_url: null, meta: null })
})

test('a reserved attachment is checked after an hour, once, unless it is reserved again', async () => {
  const db = harness.cluster.db('media')
  const old = () => db.run(sql`update attachments set reserved_since = reserved_since - interval '2 hours'`)
  const due = async () => (await harness.cluster.call(reservedAttachments, { limit: 400 })).items
  const apply = async (holder: string | null, scheduled = false) =>
    harness.cluster.call(checkedAttachments, {
      items: (await due()).map(({ id, status, since }) => ({ id, status, since, holder, scheduled })),
    })
  const statusOf = async (id: string) =>
    (await db.row<{ status: string | null }>(sql`select status from attachments where id = ${id}`))?.status
  await db.run(sql`update attachments set reserved_since = null`)
  const id = await uploaded()
  await take([id], '801')
  expect(await due()).toEqual([])
  await old()
  expect(await due()).toMatchObject([{ id, owner: alice.id, status: '801' }])
  // A check of the earlier reservation has no effect on a later one.
  const items = (await due()).map(({ owner: _owner, ...item }) => ({ ...item, holder: null, scheduled: false }))
  await take([id], '801')
  expect(await harness.cluster.call(checkedAttachments, { items })).toEqual({ changed: 0 })
  expect([await statusOf(id), await due()]).toEqual(['801', []])
  // A scheduled status may be deleted later, so it is checked again.
  await old()
  await apply('801', true)
  expect([await statusOf(id), await due()]).toEqual(['801', []])
  await old()
  await apply('802')
  await old()
  expect([await statusOf(id), await due()]).toEqual(['802', []])
  // Repeated calls of the status that is confirmed change nothing.
  await take([id], '802')
  await old()
  expect(await due()).toEqual([])
  // A process of an earlier release does not set the time.
  await db.run(sql`update attachments set status = 803 where id = ${id}`)
  await old()
  await apply(null)
  expect([await statusOf(id), await due()]).toEqual([null, []])
  expect((await take([id], '804')).missing).toEqual([])
  await harness.cluster.call(releaseAttachments, { status: '804' })
  await old()
  expect(await due()).toEqual([])
})

test('a confirmed attachment can be checked again, and only of the status that has it', async () => {
  const db = harness.cluster.db('media')
  const confirmAll = () => db.run(sql`update attachments set reserved_since = null`)
  const old = () => db.run(sql`update attachments set reserved_since = reserved_since - interval '2 hours'`)
  const due = async () => (await harness.cluster.call(reservedAttachments, { limit: 400 })).items
  const release = (items: Awaited<ReturnType<typeof due>>) =>
    harness.cluster.call(checkedAttachments, {
      items: items.map(({ owner: _owner, ...item }) => ({ ...item, holder: null, scheduled: false })),
    })
  const [id, other] = [await uploaded(), await uploaded()]
  await take([id], '811')
  await take([other], '812')
  await confirmAll()
  const ids = [id, other]
  expect(await harness.cluster.call(recheckAttachments, { status: '811', ids })).toEqual({ changed: 1 })
  expect(await due()).toEqual([])
  await old()
  const items = await due()
  expect(items).toMatchObject([{ id, status: '811' }])
  // The edit that adds the attachment again reserves it again.
  await take([id], '811')
  expect(await release(items)).toEqual({ changed: 0 })
  await old()
  expect(await release(await due())).toEqual({ changed: 1 })
  expect((await take(ids, '812')).missing).toEqual([])
})

test('a check sends invalidations only for attachments that it releases or moves', async () => {
  const db = harness.cluster.db('media')
  await db.run(sql`update attachments set reserved_since = null`)
  const ids = [await uploaded(), await uploaded(), await uploaded()]
  await take(ids, '821')
  await db.run(sql`update attachments set reserved_since = reserved_since - interval '2 hours'`)
  const { items } = await harness.cluster.call(reservedAttachments, { limit: 400 })
  const holders = new Map([
    [ids[0], '821'],
    [ids[1], '822'],
  ])
  const send = vi.spyOn(harness.context().invalidations, 'send')
  const { changed } = await harness.cluster.call(checkedAttachments, {
    items: items.map(({ owner: _owner, ...item }) => ({
      ...item,
      holder: holders.get(item.id) ?? null,
      scheduled: false,
    })),
  })
  const sent = send.mock.calls.map(([invalidation, of]) => [invalidation, [...(of as string[])].toSorted()])
  send.mockRestore()
  expect([changed, sent]).toEqual([2, [[attachmentInvalidation, ids.slice(1).toSorted()]]])
})

test('attachments of new remote statuses are not checked', async () => {
  const details = { description: null, blurhash: null, width: null, height: null, focus: null }
  await harness.cluster.call(putRemoteAttachments, {
    owner: '99',
    status: '901',
    attachments: [{ url: 'https://remote.example/held.jpg', media_type: 'image/jpeg', ...details }],
  })
  expect(
    await harness.cluster.db('media').rows(sql`select id from attachments where reserved_since is not null`),
  ).toEqual([])
})

test('attachments of an edit of a remote status are checked, and released if no version has them', async () => {
  const db = harness.cluster.db('media')
  const old = () => db.run(sql`update attachments set reserved_since = reserved_since - interval '2 hours'`)
  await db.run(sql`update attachments set reserved_since = null`)
  const file = (name: string) => ({
    ...{ url: `https://remote.example/${name}`, media_type: 'image/jpeg' },
    ...{ description: null, blurhash: null, width: null, height: null, focus: null },
  })
  const put = async (names: string[]) => {
    const input = { owner: '99', status: '911', attachments: names.map(file), keepOthers: true }
    return (await harness.cluster.call(putRemoteAttachments, input)).ids
  }
  const due = async () => (await harness.cluster.call(reservedAttachments, { limit: 400 })).items
  const check = (items: Awaited<ReturnType<typeof due>>, kept: string[]) =>
    harness.cluster.call(checkedAttachments, {
      items: items.map(({ owner: _owner, ...it }) => ({
        ...it,
        holder: kept.includes(it.id) ? '911' : null,
        scheduled: false,
      })),
    })
  const statuses = () => db.rows(sql`select status from attachments where id = any(${ids}::bigint[]) order by id`)
  const ids = await put(['kept', 'lost'])
  await old()
  const first = await due()
  expect(first.map((one) => one.id)).toEqual(ids)
  // A later version has both, so the result of the check of the earlier version has no effect.
  expect(await put(['kept', 'lost'])).toEqual(ids)
  expect(await check(first, [])).toEqual({ changed: 0 })
  await old()
  expect(await check(await due(), ids.slice(0, 1))).toEqual({ changed: 1 })
  expect(await statuses()).toEqual([{ status: '911' }, { status: null }])
  expect(await due()).toEqual([])
  expect(await harness.cluster.call(recheckAttachments, { status: '911', ids })).toEqual({ changed: 1 })
})
