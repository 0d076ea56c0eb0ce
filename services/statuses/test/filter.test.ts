/** Filters: storing them in both API versions, and their results on every status that a viewer receives. */
import { liveListener } from '@murmuration/testkit'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { FakeAccount } from './fakes/data.js'
import { type Harness, startHarness, statuses } from './harness.js'
import { remoteStatus } from './remote-status.js'

const published: string[] = []
/** Records which accounts receive `filters_changed`. */
const listener = liveListener<{ e: string }>('live.user.*', (message, subject) => {
  if (message.e === 'filters_changed') published.push(`${subject.replace('live.user.', '')} ${JSON.stringify(message)}`)
})

let harness: Harness
let ann: FakeAccount
let bob: FakeAccount
beforeAll(async () => {
  harness = await startHarness({}, [listener])
  ann = harness.fakes.fakeAccount('ann')
  bob = harness.fakes.fakeAccount('bob')
  await harness.present(ann)
})
afterAll(() => harness.stop())
beforeEach(() => {
  published.length = 0
})

const call = ((...given) => harness.cluster.call(...given)) as Harness['cluster']['call']
const refusal = (text: string) => ({ status: 422, message: `Validation failed: ${text}` })
const create = (more: Record<string, unknown> = {}, who = ann) =>
  call(statuses.createFilter, { title: 'a filter', context: ['home'], ...more } as never, harness.as(who))
const words = (...list: string[]) => list.map((keyword) => ({ keyword, whole_word: true }))
/** Filter results of a status for an account: titles with matches. */
const said = async (id: string, who = ann) => {
  const { filtered } = await call(statuses.showStatus, { id }, harness.as(who))
  return (filtered ?? []).map((one) => [one.filter.title, one.keyword_matches, one.status_matches])
}

describe('storing filters', () => {
  test('S-046 S-048 S-053 S-111 S-112 S-113 filters are created with keywords, listed with them, and hidden from others', async () => {
    const made = await create({
      title: ' Spoilers ',
      context: ['home', 'public', 'home'],
      expires_in: '3600',
      keywords_attributes: [
        { keyword: 'finale' },
        { keyword: 'ep 9', whole_word: 'false' },
        { keyword: '', whole_word: '' },
      ],
    })
    expect(made).toEqual({
      id: expect.stringMatching(/^\d+$/),
      title: 'Spoilers',
      context: ['home', 'public'],
      filter_action: 'warn',
      expires_at: expect.stringMatching(/Z$/),
      keywords: [
        { id: expect.any(String), keyword: 'finale', whole_word: true },
        { id: expect.any(String), keyword: 'ep 9', whole_word: false },
      ],
      statuses: [],
    })
    expect(Date.parse(made.expires_at ?? '')).toBeGreaterThan(Date.now() + 3_500_000)
    expect(await call(statuses.showFilter, { id: made.id }, harness.as(ann))).toEqual(made)
    expect(await call(statuses.listFilters, {}, harness.as(ann))).toContainEqual(made)
    expect(await call(statuses.listFilters, {}, harness.as(bob))).toEqual([])
    const foreign: (() => Promise<unknown>)[] = [
      () => call(statuses.showFilter, { id: made.id }, harness.as(bob)),
      () => call(statuses.updateFilter, { id: made.id, title: 'mine' }, harness.as(bob)),
      () => call(statuses.removeFilter, { id: made.id }, harness.as(bob)),
      () => call(statuses.listFilterKeywords, { filter_id: made.id }, harness.as(bob)),
      () => call(statuses.addFilterKeyword, { filter_id: made.id, keyword: 'x' }, harness.as(bob)),
      () => call(statuses.listFilterStatuses, { filter_id: made.id }, harness.as(bob)),
      () => call(statuses.showFilterKeyword, { id: made.keywords[0]?.id ?? '' }, harness.as(bob)),
      () => call(statuses.removeFilterKeyword, { id: made.keywords[0]?.id ?? '' }, harness.as(bob)),
      () => call(statuses.showV1Filter, { id: made.keywords[0]?.id ?? '' }, harness.as(bob)),
    ]
    for (const one of foreign) await expect(one()).rejects.toMatchObject({ status: 404, message: 'Record not found' })
  })

  test('S-047 S-053 S-112 an invalid request is refused completely', async () => {
    const before = (await call(statuses.listFilters, {}, harness.as(ann))).length
    const wrong: [Record<string, unknown>, string][] = [
      [{ title: ' ' }, "Title can't be blank"],
      [{ title: 'x'.repeat(257) }, 'Title is too long (maximum is 256 characters)'],
      [{ context: [] }, 'Context None or invalid context supplied'],
      [{ context: ['home', 'elsewhere'] }, 'Context None or invalid context supplied'],
      [{ filter_action: 'explode' }, 'Action is not included in the list'],
      [
        { keywords_attributes: [{ keyword: 'fine' }, { keyword: ' ', whole_word: true }] },
        "Keywords keyword can't be blank",
      ],
      [{ keywords_attributes: words('x'.repeat(513)) }, 'Keywords keyword is too long (maximum is 512 characters)'],
      [{ expires_in: 99_999_999_999 }, 'Expires in is too far in the future'],
      [{ expires_in: 'soon' }, 'Expires in is invalid'],
    ]
    for (const [input, text] of wrong) await expect(create(input), text).rejects.toMatchObject(refusal(text))
    expect((await call(statuses.listFilters, {}, harness.as(ann))).length).toBe(before)
    expect(published).toEqual([])
    for (const action of ['hide', 'warn', 'blur'])
      expect(await create({ filter_action: action })).toMatchObject({ filter_action: action })
    const largest = {
      title: 'x'.repeat(256),
      context: ['home', 'notifications', 'public', 'thread', 'account'],
      keywords_attributes: words('y'.repeat(512)),
    }
    expect(await create(largest)).toMatchObject({
      title: largest.title,
      context: largest.context,
      expires_at: null,
      keywords: [{ keyword: 'y'.repeat(512), whole_word: true }],
    })
  })

  test('a missing filter is reported before an invalid time', async () => {
    for (const operation of [statuses.updateFilter, statuses.updateV1Filter]) {
      const change = call(operation, { id: '5', expires_in: 'soon' }, harness.as(ann))
      await expect(change).rejects.toMatchObject({ status: 404 })
    }
  })

  test('S-114 S-115 keywords are added, changed and removed in one request, all or none', async () => {
    const made = await create({ keywords_attributes: words('one', 'two', 'three') })
    const [one, two, three] = made.keywords.map((keyword) => keyword.id)
    const change = (keywords_attributes: unknown, more: Record<string, unknown> = {}) =>
      call(statuses.updateFilter, { id: made.id, keywords_attributes, ...more } as never, harness.as(ann))
    expect(
      await change(
        {
          0: { id: one, keyword: 'uno' },
          1: { id: two, _destroy: 'true' },
          2: { keyword: 'four', whole_word: false },
        },
        { title: 'renamed', filter_action: 'hide', context: ['thread'] },
      ),
    ).toMatchObject({
      title: 'renamed',
      filter_action: 'hide',
      context: ['thread'],
      keywords: [
        { id: one, keyword: 'uno', whole_word: true },
        { id: three, keyword: 'three' },
        { keyword: 'four', whole_word: false },
      ],
    })
    await expect(
      change([
        { id: three, keyword: 'tres' },
        { id: '5', keyword: 'not there' },
      ]),
    ).rejects.toMatchObject({
      status: 404,
    })
    await expect(change([{ id: three, keyword: '' }])).rejects.toMatchObject(refusal("Keywords keyword can't be blank"))
    const { keywords } = await call(statuses.showFilter, { id: made.id }, harness.as(ann))
    expect(keywords.map((keyword) => keyword.keyword)).toEqual(['uno', 'three', 'four'])
    expect(await call(statuses.removeFilter, { id: made.id }, harness.as(ann))).toEqual({})
    await expect(call(statuses.removeFilter, { id: made.id }, harness.as(ann))).rejects.toMatchObject({ status: 404 })
    await expect(call(statuses.showFilterKeyword, { id: three ?? '' }, harness.as(ann))).rejects.toMatchObject({
      status: 404,
    })
  })

  test('S-116 S-117 S-118 S-210 keywords are managed one by one', async () => {
    const { id: filter_id } = await create()
    const added = await call(statuses.addFilterKeyword, { filter_id, keyword: ' word ' }, harness.as(ann))
    expect(added).toEqual({ id: expect.any(String), keyword: 'word', whole_word: true })
    await expect(call(statuses.addFilterKeyword, { filter_id }, harness.as(ann))).rejects.toMatchObject(
      refusal("Keyword can't be blank"),
    )
    expect(await call(statuses.listFilterKeywords, { filter_id }, harness.as(ann))).toEqual([added])
    expect(await call(statuses.showFilterKeyword, { id: added.id }, harness.as(ann))).toEqual(added)
    const changed = { ...added, whole_word: false }
    expect(await call(statuses.updateFilterKeyword, { id: added.id, whole_word: 'off' }, harness.as(ann))).toEqual(
      changed,
    )
    expect(await call(statuses.removeFilterKeyword, { id: added.id }, harness.as(ann))).toEqual({})
    expect(await call(statuses.listFilterKeywords, { filter_id }, harness.as(ann))).toEqual([])
    const second = { filter_id, id: added.id, keyword: 'beside' }
    const beside = await call(statuses.addFilterKeyword, second as never, harness.as(ann))
    expect(beside, 'the last segment of the path is ignored').toMatchObject({ keyword: 'beside' })
    expect(beside.id).not.toBe(added.id)
    const paths = (operation: { http: readonly { method: string; path: string }[] }) =>
      operation.http.map((route) => `${route.method} ${route.path}`)
    expect(paths(statuses.addFilterKeyword)).toContain('POST /api/v2/filters/:filter_id/keywords/:id')
    for (const [operation, method] of [
      [statuses.showFilterKeyword, 'GET'],
      [statuses.updateFilterKeyword, 'PUT'],
      [statuses.removeFilterKeyword, 'DELETE'],
    ] as const)
      expect(paths(operation)).toEqual(
        expect.arrayContaining([`${method} /api/v1/filters/keywords/:id`, `${method} /api/v2/filters/keywords/:id`]),
      )
  })

  test('S-018 S-050 S-051 S-054 S-111 a filter accepts visible statuses, each once, and matches them and their boosts', async () => {
    const { id: filter_id } = await create({ title: 'one status' })
    const status = await harness.post(bob, 'an ordinary status')
    const secret = await harness.post(bob, { status: 'hidden', visibility: 'direct' })
    const add = (status_id: string) => call(statuses.addFilterStatus, { filter_id, status_id }, harness.as(ann))
    const row = await add(status.id)
    expect(row).toEqual({ id: expect.stringMatching(/^\d+$/), status_id: status.id })
    await expect(add(status.id)).rejects.toMatchObject(refusal('Status has already been taken'))
    for (const id of [secret.id, '5', 'nonsense'])
      await expect(add(id)).rejects.toMatchObject(refusal('Status is invalid'))
    expect(await call(statuses.listFilterStatuses, { filter_id }, harness.as(ann))).toEqual([row])
    const listed = (await call(statuses.listFilters, {}, harness.as(ann))).find((one) => one.id === filter_id)
    expect(listed).toMatchObject({ title: 'one status', keywords: [], statuses: [row] })
    expect(await call(statuses.showFilterStatus, { id: row.id }, harness.as(ann))).toEqual(row)
    await expect(call(statuses.showFilterStatus, { id: row.id }, harness.as(bob))).rejects.toMatchObject({
      status: 404,
    })
    expect(await said(status.id)).toEqual([['one status', null, [status.id]]])
    const { filtered } = await call(statuses.showStatus, { id: status.id }, harness.as(ann))
    expect(filtered?.[0]?.filter).toEqual({
      id: filter_id,
      title: 'one status',
      context: ['home'],
      expires_at: null,
      filter_action: 'warn',
    })
    const change = (input: object) => call(statuses.updateFilter, { id: filter_id, ...input } as never, harness.as(ann))
    const { expires_at } = await change({ context: ['account'], expires_in: 3600 })
    const later = await call(statuses.showStatus, { id: status.id }, harness.as(ann))
    expect(later.filtered?.[0]?.filter).toMatchObject({ context: ['account'], expires_at })
    await change({ expires_in: -1 })
    expect(await said(status.id)).toEqual([])
    await change({ expires_in: '' })
    const boost = await call(statuses.addReblog, { id: status.id }, harness.as(bob))
    expect(await said(boost.id)).toEqual([['one status', null, [status.id]]])
    expect(await call(statuses.removeFilterStatus, { id: row.id }, harness.as(ann))).toEqual({})
    expect(await said(status.id)).toEqual([])
  })

  test('S-052 S-110 a version 1 filter has one keyword, and keeps `irreversible` and `whole_word`', async () => {
    const made = await call(
      statuses.createV1Filter,
      { phrase: 'old', context: ['home'], irreversible: 'true', whole_word: '0', expires_in: '' },
      harness.as(ann),
    )
    expect(made).toEqual({
      id: expect.any(String),
      phrase: 'old',
      context: ['home'],
      whole_word: false,
      expires_at: null,
      irreversible: true,
    })
    expect(await call(statuses.showV1Filter, { id: made.id }, harness.as(ann))).toEqual(made)
    expect(await call(statuses.listV1Filters, {}, harness.as(ann))).toContainEqual(made)
    const both = (await call(statuses.listFilters, {}, harness.as(ann))).find((one) => one.keywords[0]?.id === made.id)
    expect(both).toMatchObject({ title: 'old', filter_action: 'hide' })
    expect(
      await call(
        statuses.updateV1Filter,
        {
          id: made.id,
          phrase: 'older',
          context: ['home', 'thread'],
          irreversible: false,
          whole_word: true,
          expires_in: 60,
        },
        harness.as(ann),
      ),
    ).toMatchObject({
      id: made.id,
      phrase: 'older',
      irreversible: false,
      whole_word: true,
      expires_at: expect.any(String),
    })
    expect(await call(statuses.showFilter, { id: both?.id ?? '' }, harness.as(ann))).toMatchObject({
      title: 'older',
      context: ['home', 'thread'],
      filter_action: 'warn',
    })
    const update = (more: object) =>
      call(
        statuses.updateV1Filter,
        { id: made.id, phrase: 'older', context: ['home', 'thread'], ...more } as never,
        harness.as(ann),
      )
    expect(await update({ irreversible: 'true', whole_word: 'false' })).toMatchObject({
      irreversible: true,
      whole_word: false,
    })
    expect(await call(statuses.showFilter, { id: both?.id ?? '' }, harness.as(ann))).toMatchObject({
      filter_action: 'hide',
      keywords: [{ whole_word: false }],
    })
    expect(await update({ irreversible: 'false', whole_word: 'true' })).toMatchObject({
      irreversible: false,
      whole_word: true,
    })
    const plain = { phrase: 'plain', context: ['home'] }
    const usual = await call(statuses.createV1Filter, plain as never, harness.as(ann))
    expect(usual).toMatchObject({ irreversible: false, whole_word: true })
    const warning = await call(
      statuses.createV1Filter,
      { ...plain, irreversible: false, whole_word: true } as never,
      harness.as(ann),
    )
    expect(warning).toMatchObject({ irreversible: false, whole_word: true })
    const stored = await call(statuses.listFilters, {}, harness.as(ann))
    for (const { id } of [usual, warning])
      expect(stored.find((one) => one.keywords[0]?.id === id)).toMatchObject({ filter_action: 'warn' })
    const newer = await create({ filter_action: 'hide', keywords_attributes: words('newer') })
    expect(await call(statuses.showV1Filter, { id: newer.keywords[0]?.id ?? '' }, harness.as(ann))).toMatchObject({
      phrase: 'newer',
      irreversible: true,
      whole_word: true,
    })
    await call(statuses.addFilterKeyword, { filter_id: both?.id ?? '', keyword: 'second' }, harness.as(ann))
    const several =
      'These parameters cannot be changed from this application because they apply to more than one filter keyword. Use a more recent application or the web interface.'
    for (const more of [{ context: ['public'] }, { irreversible: true }, { expires_in: '' }])
      await expect(
        call(statuses.updateV1Filter, { id: made.id, phrase: 'older', ...more } as never, harness.as(ann)),
      ).rejects.toMatchObject({ status: 422, message: several })
    expect(
      await call(
        statuses.updateV1Filter,
        { id: made.id, phrase: 'oldest', context: ['thread', 'home'] },
        harness.as(ann),
      ),
    ).toMatchObject({ phrase: 'oldest' })
    expect(await call(statuses.removeV1Filter, { id: made.id }, harness.as(ann))).toEqual({})
    expect(await call(statuses.showFilter, { id: both?.id ?? '' }, harness.as(ann))).toMatchObject({
      keywords: [{ keyword: 'second' }],
    })
    for (const operation of [
      statuses.listV1Filters,
      statuses.createV1Filter,
      statuses.showV1Filter,
      statuses.updateV1Filter,
      statuses.removeV1Filter,
    ])
      for (const route of operation.http) expect(route.deprecated).toBe('2022-11-14')
  })

  test('a repeated idempotency key creates one filter', async () => {
    const me = harness.fakes.fakeAccount('repeating')
    const again = () =>
      call(statuses.createFilter, { title: 'once', context: ['home'] }, harness.as(me), { idempotencyKey: 'k1' })
    const [one, two] = await Promise.all([again(), again()])
    expect(two).toEqual(one)
    expect((await call(statuses.listFilters, {}, harness.as(me))).length).toBe(1)
  })

  test('the filters of one account are limited', async () => {
    const me = harness.fakes.fakeAccount('hoarder')
    const long = (n: number) => `${n}`.padEnd(512, 'x')
    const { id } = await create(
      { keywords_attributes: Array.from({ length: 97 }, (_, n) => ({ keyword: long(n) })) },
      me,
    )
    await expect(
      call(statuses.addFilterKeyword, { filter_id: id, keyword: long(100) }, harness.as(me)),
    ).rejects.toMatchObject(refusal('You have reached the maximum number of filter keywords'))
  })
})

describe('S-181 filters_changed', () => {
  test('S-181 filters_changed is sent once for each change, without a payload, and not after a refusal', async () => {
    const { id } = await create({ keywords_attributes: words('a', 'b', 'c') })
    const [first] = (await call(statuses.showFilter, { id }, harness.as(ann))).keywords
    await call(
      statuses.updateFilter,
      { id, title: 'x', keywords_attributes: [{ id: first?.id, keyword: 'd' }, { keyword: 'e' }] } as never,
      harness.as(ann),
    )
    await expect(call(statuses.updateFilter, { id, title: '' }, harness.as(ann))).rejects.toMatchObject({ status: 422 })
    await call(statuses.removeFilterKeyword, { id: first?.id ?? '' }, harness.as(ann))
    await call(statuses.removeFilter, { id }, harness.as(ann))
    await harness.cluster.waitForIdle()
    expect(published).toEqual(Array.from({ length: 4 }, () => `${ann.id} {"e":"filters_changed"}`))
  })

  test('S-181 filters_changed is sent once for each operation on keywords, statuses and version 1 filters', async () => {
    const as = harness.as(ann)
    const context = ['home']
    const { id: filter_id } = await create()
    const status = await harness.post(bob, 'an ordinary status')
    const once = async <T>(what: string, done: Promise<T>): Promise<T> => {
      published.length = 0
      const result = await done
      await harness.cluster.waitForIdle()
      expect([what, published]).toEqual([what, [`${ann.id} {"e":"filters_changed"}`]])
      return result
    }
    await harness.cluster.waitForIdle()
    const { id } = await once('add keyword', call(statuses.addFilterKeyword, { filter_id, keyword: 'x' }, as))
    await once('update keyword', call(statuses.updateFilterKeyword, { id, keyword: 'y' }, as))
    await once('remove keyword', call(statuses.removeFilterKeyword, { id }, as))
    const row = await once('add status', call(statuses.addFilterStatus, { filter_id, status_id: status.id }, as))
    await once('remove status', call(statuses.removeFilterStatus, { id: row.id }, as))
    const older = await once('create', call(statuses.createV1Filter, { phrase: 'a', context } as never, as))
    const change = { id: older.id, phrase: 'b', context }
    await once('update', call(statuses.updateV1Filter, change as never, as))
    await once('remove', call(statuses.removeV1Filter, { id: older.id }, as))
  })
})

describe('S-018 S-049 filter results', () => {
  let me: FakeAccount
  beforeAll(async () => {
    me = harness.fakes.fakeAccount('reader')
    await create({ title: 'animals', keywords_attributes: words('cat', 'Über uns') }, me)
    await create(
      {
        title: 'anywhere',
        filter_action: 'hide',
        context: ['notifications'],
        keywords_attributes: [{ keyword: 'ell', whole_word: false }],
      },
      me,
    )
  })
  const saying = async (input: Record<string, unknown> | string, author = bob) =>
    said((await harness.post(author, input)).id, me)

  test('S-018 S-051 each matching filter is reported once, in any context, with the matching text', async () => {
    expect(await saying('a Cat and a cat')).toEqual([['animals', ['Cat'], null]])
    expect(await saying('concatenate, cats')).toEqual([])
    expect(await saying('ÜBER UNS, hello')).toEqual([
      ['animals', ['ÜBER UNS'], null],
      ['anywhere', ['ell'], null],
    ])
    expect(await saying('darüber uns')).toEqual([])
    const { filtered } = await call(statuses.showStatus, { id: (await harness.post(bob, 'cat')).id }, harness.as(me))
    expect(filtered?.[0]?.filter).toEqual({
      id: expect.any(String),
      title: 'animals',
      context: ['home'],
      expires_at: null,
      filter_action: 'warn',
    })
  })

  test('warnings, poll options and descriptions of attachments are compared, markup is not', async () => {
    expect(await saying({ status: 'x', spoiler_text: 'cat' })).toEqual([['animals', ['cat'], null]])
    expect(await saying({ status: 'x', poll: { options: ['dog', 'cat'], expires_in: 3600 } })).toEqual([
      ['animals', ['cat'], null],
    ])
    const file = harness.fakes.file(bob)
    file.description = 'my cat'
    expect(await saying({ status: 'x', media_ids: [file.id] })).toEqual([['animals', ['cat'], null]])
    expect(await saying('ellipsis')).toEqual([['anywhere', ['ell'], null]])
    expect(await saying('https://example.com/a/very/long/address/that/is/cut/in/the/middle/of/it')).toEqual([])
  })

  test('the line that links to the quoted status is not compared, the text beside it is', async () => {
    const who = harness.fakes.fakeAccount('quotereader')
    await create({ title: 'line', keywords_attributes: words('re', 'ann', 'http') }, who)
    const original = await harness.post(ann, 'wise')
    const quoting = async (status: string) => harness.post(bob, { status, quoted_status_id: original.id })
    const plain = await quoting('look')
    expect(plain.content).toMatch(/quote-inline.*RE: .*@ann/)
    expect(await said(plain.id, who)).toEqual([])
    const naming = await quoting('see ann')
    expect(await said(naming.id, who)).toEqual([['line', ['ann'], null]])
    await call(statuses.editStatus, { id: naming.id, status: 'see' }, harness.as(bob))
    expect(await said(naming.id, who)).toEqual([])

    const far = harness.fakes.fakeAccount('quoter', { domain: 'far.example' })
    const put = async (quote: string | null) => {
      const html = `<p class="quote-inline">RE: <a href="${original.uri}">${original.uri}</a></p><p>look</p>`
      const status = remoteStatus(far, {
        html,
        quote: quote === null ? null : { uri: quote, stamp: null, legacy: false },
      })
      return (await call(statuses.putRemoteStatus, { status })).id
    }
    expect(await said(await put(original.uri), who)).toEqual([])
    // Clients show the line of a status without a quote, and of a legacy quote that is not accepted.
    const legacy = remoteStatus(far, {
      html: `<p class="quote-inline">RE: <a href="https://gone.example/1">https://gone.example/1</a></p><p>look</p>`,
      quote: { uri: 'https://gone.example/1', stamp: null, legacy: true },
    })
    expect(await said((await call(statuses.putRemoteStatus, { status: legacy })).id, who)).toMatchObject([
      ['line', expect.arrayContaining(['RE']), null],
    ])
    const beside = remoteStatus(far, {
      html: `<p class="quote-inline">Buy from ann at <a href="https://spam.example/">spam</a></p><p>look</p>`,
      quote: { uri: 'https://gone.example/1', stamp: null, legacy: false },
    })
    expect(await said((await call(statuses.putRemoteStatus, { status: beside })).id, who)).toMatchObject([
      ['line', ['ann'], null],
    ])
    expect(await said(await put(null), who)).toMatchObject([['line', ['RE'], null]])
  })

  test('own statuses are filtered too, boosts by their original, and edits again', async () => {
    expect(await saying('cat', me)).toEqual([['animals', ['cat'], null]])
    const original = await harness.post(ann, 'the cat')
    const boost = await call(statuses.addReblog, { id: original.id }, harness.as(bob))
    const seen = await call(statuses.showStatus, { id: boost.id }, harness.as(me))
    for (const one of [seen, seen.reblog]) expect(one?.filtered).toMatchObject([{ filter: { title: 'animals' } }])
    await call(statuses.editStatus, { id: original.id, status: 'the dog' }, harness.as(ann))
    expect(await said(boost.id, me)).toEqual([])
  })

  test('S-049 S-180 every place that shows statuses to an account has filter results, and anonymous viewers have none', async () => {
    const tag = `cat${Date.now()}`
    harness.fakes.follow(me, bob)
    await harness.home(me)
    const root = await harness.post(bob, `cat #${tag}`)
    const reply = await harness.post(bob, { status: 'another cat', in_reply_to_id: root.id })
    const list = harness.fakes.list(me, [bob])
    await call(statuses.addFavourite, { id: root.id }, harness.as(me))
    await call(statuses.addBookmark, { id: root.id }, harness.as(me))
    const as = harness.as(me)
    const rendered = await call(statuses.renderByIds, { viewer: me.id, ids: [root.id], place: 'notifications' })
    const live = await call(statuses.renderForListeners, {
      id: root.id,
      listeners: [me.id, ann.id],
      grants: [me.id, ann.id].map(harness.cluster.grant),
      surface: 'user',
    })
    const open = await call(statuses.renderForListeners, {
      id: root.id,
      listeners: [me.id, ann.id],
      grants: [me.id, ann.id].map(harness.cluster.grant),
      surface: 'public',
    })
    const places = [
      ...(await harness.home(me)),
      ...(await call(statuses.listTimeline, { id: list.id }, as)),
      ...(await call(statuses.publicTimeline, {}, as)),
      ...(await call(statuses.tagTimeline, { hashtag: tag }, as)),
      ...(await call(statuses.accountTimeline, { id: bob.id }, as)),
      ...(await call(statuses.listFavourites, {}, as)),
      ...(await call(statuses.listBookmarks, {}, as)),
      ...(await call(statuses.listStatuses, { id: [root.id] }, as)),
      ...(await call(statuses.showThread, { id: reply.id }, as)).ancestors,
      ...[...rendered.values()].map((text) => JSON.parse(text)),
      ...[live, open].map(({ card, tails, tailOf }) => JSON.parse(`${card}${tails[tailOf[0] ?? -1]}`)),
    ].filter((one) => one.id === root.id)
    expect(places.length).toBe(12)
    for (const one of places)
      expect(one.filtered).toMatchObject([
        { filter: { title: 'animals' }, keyword_matches: ['cat'], status_matches: null },
      ])
    for (const { card, tails, tailOf } of [live, open])
      expect(JSON.parse(`${card}${tails[tailOf[1] ?? -1]}`).filtered).toEqual([])
    const innocent = await harness.post(bob, { status: `dog #${tag}`, in_reply_to_id: root.id })
    const unmatched = [
      await call(statuses.showStatus, { id: innocent.id }, as),
      ...(await call(statuses.publicTimeline, {}, as)),
      ...(await call(statuses.tagTimeline, { hashtag: tag }, as)),
      ...(await call(statuses.showThread, { id: root.id }, as)).descendants,
    ].filter((one) => one.id === innocent.id)
    expect(unmatched.length).toBe(4)
    for (const one of unmatched) expect(one.filtered).toEqual([])
    const anonymous = [
      await call(statuses.showStatus, { id: root.id }),
      ...(await call(statuses.publicTimeline, {})),
      ...(await call(statuses.tagTimeline, { hashtag: tag })),
      ...(await call(statuses.accountTimeline, { id: bob.id })),
      ...(await call(statuses.listStatuses, { id: [root.id] })),
      ...(await call(statuses.showThread, { id: reply.id })).ancestors,
    ].filter((one) => one.id === root.id)
    expect(anonymous.length).toBe(6)
    for (const one of anonymous) expect(one).not.toHaveProperty('filtered')
  })

  test('S-077 an expired filter is listed but not applied, and can be renewed', async () => {
    const who = harness.fakes.fakeAccount('expiring')
    const filter = await create({ title: 'past', expires_in: -5, keywords_attributes: words('cat') }, who)
    expect(Date.parse(filter.expires_at ?? '')).toBeLessThan(Date.now())
    const { id } = await harness.post(bob, 'cat')
    expect(await said(id, who)).toEqual([])
    expect(await call(statuses.listFilters, {}, harness.as(who))).toEqual([filter])
    await call(statuses.updateFilter, { id: filter.id, expires_in: 3600 }, harness.as(who))
    expect(await said(id, who)).toEqual([['past', ['cat'], null]])
    await call(statuses.updateFilter, { id: filter.id, expires_in: 0 }, harness.as(who))
    expect(await said(id, who)).toEqual([])
  })

  test('a change applies to the next request and to the next streamed status', async () => {
    const who = harness.fakes.fakeAccount('changing')
    const { id } = await harness.post(bob, 'weather')
    const streamed = async () => {
      const { card, tails, tailOf } = await call(statuses.renderForListeners, {
        id,
        listeners: [who.id],
        grants: [who.id].map(harness.cluster.grant),
        surface: 'public',
      })
      return JSON.parse(`${card}${tails[tailOf[0] ?? -1]}`).filtered.length
    }
    for (let round = 0; round < 3; round++) {
      expect([(await said(id, who)).length, await streamed()]).toEqual([0, 0])
      const filter = await create({ keywords_attributes: words('weather') }, who)
      expect([(await said(id, who)).length, await streamed()]).toEqual([1, 1])
      await call(statuses.removeFilter, { id: filter.id }, harness.as(who))
    }
  })
})

test('a text that is too long is refused with the limit of filters, whatever its length', async () => {
  const long = 'x'.repeat(20_000)
  const who = harness.as(ann)
  const context = ['home']
  const keyword = { status: 422, message: expect.stringContaining('is too long (maximum is 512 characters)') }
  const title = { status: 422, message: 'Validation failed: Title is too long (maximum is 256 characters)' }
  await expect(call(statuses.createFilter, { title: long, context } as never, who)).rejects.toMatchObject(title)
  await expect(
    call(statuses.createFilter, { title: 'x', context, keywords_attributes: [{ keyword: long }] } as never, who),
  ).rejects.toMatchObject(keyword)
  const filter = await call(statuses.createFilter, { title: 'x', context } as never, who)
  await expect(
    call(statuses.addFilterKeyword, { filter_id: filter.id, keyword: long } as never, who),
  ).rejects.toMatchObject(keyword)
  await expect(call(statuses.createV1Filter, { phrase: long, context } as never, who)).rejects.toMatchObject({
    status: 422,
    message: expect.not.stringContaining('000'),
  })
})
