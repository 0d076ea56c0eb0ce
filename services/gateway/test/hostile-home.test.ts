/** The pages below `/home` with invalid fields, stale forms and hidden or deleted posts, in a browser without JavaScript. */
import { app as accounts } from '@murmuration/accounts'
import { app as media } from '@murmuration/media'
import { app as notifications } from '@murmuration/notifications'
import { app as statuses } from '@murmuration/statuses'
import type { Browser } from '@murmuration/testkit/browser/forms'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { app as gateway } from '../src/main.js'
import { federation, type Harness, PASSWORD, signInBrowser, startHarness } from './harness.js'

let server: Harness
beforeAll(async () => {
  server = await startHarness({ RATE_LIMITS: 'off', MEDIA_FFMPEG: 'off' }, [
    gateway,
    accounts,
    statuses,
    media,
    notifications,
    federation,
  ])
})
afterAll(() => server.stop())

/** One red pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC',
  'base64',
)
const at = (path: string): string => server.origin + path
const signIn = async (name: string): Promise<{ by: Browser; token: string; id: string }> => {
  const token = await server.createAccount(name)
  const by = await signInBrowser(server, name)
  const { id } = (await server.http('/api/v1/accounts/verify_credentials', { token })).json<{ id: string }>()
  return { by, token, id }
}
const post = async (token: string, json: object) =>
  (await server.http('/api/v1/statuses', { token, json })).json<{ id: string; poll: { id: string } | null }>()
const posts = async (token: string, id: string) =>
  (await server.http(`/api/v1/accounts/${id}/statuses`, { token })).json<
    { id: string; content: string; visibility: string }[]
  >()

/** The fields of the form for a new post on a page, with its key and token. */
const formOn = async (by: Browser, path = '/home'): Promise<Map<string, string>> => {
  const page = await by.get(at(path))
  const form = page.forms.find((one) => new URL(one.action).pathname === '/home/statuses')
  return new Map(
    (form?.fields ?? []).flatMap(({ name, value, type }) =>
      type === 'file' || type === 'checkbox' ? [] : [[name, value]],
    ),
  )
}
const sendForm = (by: Browser, fields: Iterable<readonly [string, string | Blob]>) => {
  const body = new FormData()
  for (const [name, value] of fields) body.append(name, value)
  return server.http('/home/statuses', {
    method: 'POST',
    body,
    headers: { cookie: by.cookies.header(new URL(server.origin)) },
  })
}
const sendPost = (by: Browser, path: string, pairs: Record<string, string>, proof: string) =>
  server.http(path, {
    method: 'POST',
    body: new URLSearchParams({ authenticity_token: proof, ...pairs }),
    headers: { cookie: by.cookies.header(new URL(server.origin)) },
  })

test.each<[string, Record<string, string | Blob>]>([
  ['an unknown visibility', { visibility: 'everyone' }],
  ['an unknown language', { language: 'zz-nonsense' }],
  ['no text', { status: '  ' }],
  ['a long text', { status: 'x'.repeat(501) }],
  ['a long content warning', { spoiler_text: 'x'.repeat(501) }],
  ['a poll with one choice', { 'poll[options][]': 'one', 'poll[expires_in]': '300' }],
  ['a poll of no time', { 'poll[options][0]': 'a', 'poll[options][1]': 'b', 'poll[expires_in]': '-1' }],
  ['a poll of text time', { 'poll[options][0]': 'a', 'poll[options][1]': 'b', 'poll[expires_in]': 'soon' }],
  ['a poll of nine years', { 'poll[options][0]': 'a', 'poll[options][1]': 'b', 'poll[expires_in]': '300000000' }],
  ['a poll with equal choices', { 'poll[options][0]': 'a', 'poll[options][1]': 'a', 'poll[expires_in]': '300' }],
  [
    'a poll with a long choice',
    { 'poll[options][0]': 'a', 'poll[options][1]': 'x'.repeat(60), 'poll[expires_in]': '300' },
  ],
  ['a poll as a text', { poll: 'yes' }],
  ['an unknown parent', { in_reply_to_id: '7' }],
  ['an unknown quoted post', { quoted_status_id: '7' }],
  ['a kept picture of nobody', { 'kept[]': '7' }],
  ['a file that is no picture', { 'media[0][file]': new Blob(['text'], { type: 'image/png' }) }],
  [
    'a long description',
    {
      'media[0][file]': new Blob([new Uint8Array(PNG)], { type: 'image/png' }),
      'media[0][description]': 'x'.repeat(20_000),
    },
  ],
  [
    'a picture and a poll',
    {
      'media[0][file]': new Blob([new Uint8Array(PNG)], { type: 'image/png' }),
      'poll[options][0]': 'a',
      'poll[options][1]': 'b',
      'poll[expires_in]': '300',
    },
  ],
  ['a null character', { status: 'a\0b' }],
  ['nested fields', { 'status[a]': 'b', 'visibility[toString]': 'x', 'key[]': 'y' }],
  ['a hostile key', { key: '"><b>' }],
])('a form with %s is refused or posted, and keeps the text', async (_, wrong) => {
  const who = await signIn(`w${Math.random().toString(36).slice(2, 10)}`)
  const fields = await formOn(who.by)
  const all = new Map<string, string | Blob>([...fields, ['status', 'a text to keep']])
  for (const [key, value] of Object.entries(wrong)) all.set(key, value)
  const answer = await sendForm(who.by, all)
  expect([200, 303, 403, 404, 422]).toContain(answer.status)
  if (answer.status === 422 && !('status' in wrong || 'status[a]' in wrong))
    expect(answer.text).toContain('a text to keep')
})

test.each<[string, Record<string, string>]>([
  ['a parent that is no id', { in_reply_to_id: 'x' }],
  ['a parent with a large id', { in_reply_to_id: '99999999999999999999' }],
  ['two parents', { 'in_reply_to_id[0]': '7', 'in_reply_to_id[1]': '8' }],
  ['a quoted post that is no id', { quoted_status_id: '-1' }],
  ['a kept picture that is no id', { 'kept[]': 'x' }],
  ['a poll as a text', { poll: 'yes' }],
  ['a poll with nested choices', { 'poll[options][0][x]': 'a', 'poll[options][1]': 'b' }],
  ['a list of visibilities', { 'visibility[]': 'private' }],
])('a form with %s posts nothing, says so, and keeps the text', async (_, wrong) => {
  const who = await signIn(`n${Math.random().toString(36).slice(2, 10)}`)
  const fields = new Map<string, string | Blob>([...(await formOn(who.by)), ['status', 'a text to keep']])
  const replaced = Object.keys(wrong).map((key) => key.replace(/\[.*/, ''))
  for (const name of fields.keys()) if (replaced.includes(name.replace(/\[.*/, ''))) fields.delete(name)
  for (const [key, value] of Object.entries(wrong)) fields.set(key, value)
  const answer = await sendForm(who.by, fields)
  expect([answer.status, answer.text.includes('a text to keep'), answer.text.includes('role="alert"')]).toEqual([
    ...[422, true, true],
  ])
  expect(await posts(who.token, who.id)).toEqual([])
})

test('a form that is sent again after Back with another text creates another post', async () => {
  const who = await signIn('backward')
  const fields = await formOn(who.by)
  for (const status of ['the first', 'the first', 'the second']) {
    const answer = await sendForm(who.by, new Map([...fields, ['status', status]]))
    expect(answer.status).toBe(303)
  }
  expect((await posts(who.token, who.id)).map((one) => one.content)).toEqual(['<p>the second</p>', '<p>the first</p>'])
})

test('fields of a form cannot name a stored file, which would be deleted with the refused form', async () => {
  const [ann, eve] = [await signIn('owner'), await signIn('deleter')]
  const body = new FormData()
  body.append('file', new Blob([new Uint8Array(PNG)], { type: 'image/png' }), 'x.png')
  const upload = await server.http('/api/v1/media', { method: 'POST', token: ann.token, body })
  const { url } = upload.json<{ url: string }>()
  const there = async () => (await server.http(new URL(url).pathname)).status
  expect(await there()).toBe(200)
  const path = new URL(url).pathname.replace(/^\/(?:system|media)\//, '')
  for (const key of [path, `/${path}`, new URL(url).pathname.slice(1)]) {
    const fields = await formOn(eve.by)
    const forged = { key, size: '1', type: 'image/png', name: 'x' }
    const named = Object.entries(forged).map(([name, value]) => [`media[0][file][${name}]`, value] as const)
    const answer = await sendForm(eve.by, [...fields, ['status', 'a forged file'], ...named])
    expect([303, 422]).toContain(answer.status)
  }
  expect(await there()).toBe(200)
})

test('a form with a picture that is sent twice at the same time creates one post', async () => {
  const who = await signIn('doubled')
  const fields = await formOn(who.by)
  const whole = () =>
    new Map<string, string | Blob>([
      ...fields,
      ['status', 'pic'],
      ['media[0][file]', new Blob([new Uint8Array(PNG)], { type: 'image/png' })],
    ])
  const answers = await Promise.all([sendForm(who.by, whole()), sendForm(who.by, whole()), sendForm(who.by, whole())])
  expect(answers.map((one) => one.status)).toEqual([303, 303, 303])
  expect(await posts(who.token, who.id)).toHaveLength(1)
})

test('replies, quotes, votes and actions on a post that is hidden or deleted are refused and say so', async () => {
  const [ann, eve] = [await signIn('annie'), await signIn('evelyn')]
  const hidden = await post(ann.token, { status: 'only followers', visibility: 'private' })
  const gone = await post(ann.token, { status: 'going' })
  const poll = await post(ann.token, {
    status: 'vote',
    visibility: 'private',
    poll: { options: ['a', 'b'], expires_in: 300 },
  })
  const fields = await formOn(eve.by, `/home/statuses/${gone.id}`)
  await server.http(`/api/v1/statuses/${gone.id}`, { token: ann.token, method: 'DELETE' })
  const proof = fields.get('authenticity_token') ?? ''
  const answer = await sendForm(eve.by, new Map([...fields, ['status', 'a late reply']]))
  expect([answer.status, answer.text.includes('a late reply')]).toEqual([422, true])
  const found: string[] = []
  for (const id of [hidden.id, gone.id, '7', '9999999999999999999', poll.id]) {
    for (const path of [`/home/statuses/${id}`, `/home/statuses/${id}/new`, `/home/compose?quote=${id}`]) {
      const { status } = await server.http(path, {
        headers: { cookie: eve.by.cookies.header(new URL(server.origin)), accept: 'text/html' },
      })
      if (status !== 404) found.push(`${status} GET ${path}`)
    }
    for (const act of [
      'favourite',
      'unfavourite',
      'reblog',
      'unreblog',
      'bookmark',
      'unbookmark',
      'delete',
      'nonsense',
      'constructor',
    ]) {
      const { status } = await sendPost(eve.by, `/home/statuses/${id}`, { do: act, at: id, back: '/home' }, proof)
      if (status !== 404) found.push(`${status} ${act} ${id}`)
    }
    for (const field of ['in_reply_to_id', 'quoted_status_id']) {
      const sent = await sendForm(
        eve.by,
        new Map([...fields, ['in_reply_to_id', ''], [field, id], ['status', 'my words'], ['key', `k-${field}-${id}`]]),
      )
      if (sent.status !== 422 && sent.status !== 404)
        found.push(`${sent.status} ${field} ${id} ${sent.headers.get('location')}`)
      if (!sent.text.includes('my words')) found.push(`text is lost: ${sent.status} ${field} ${id}`)
    }
  }
  const vote = await sendPost(eve.by, `/home/polls/${poll.poll?.id}`, { 'choices[]': '0', at: poll.id }, proof)
  if (vote.status !== 404 && vote.status !== 422) found.push(`${vote.status} vote ${vote.headers.get('location')}`)
  for (const choices of ['9', '-1', 'x', '1.5', '']) {
    const { status } = await sendPost(
      ann.by,
      `/home/polls/${poll.poll?.id}`,
      { 'choices[]': choices, at: poll.id },
      (await formOn(ann.by)).get('authenticity_token') ?? '',
    )
    if (status >= 500) found.push(`${status} choice ${choices}`)
  }
  expect(found).toEqual([])
})

test('a thread with hundreds of replies is paged to its end, and pages past the end are empty', async () => {
  const ann = await signIn('threader')
  const root = await post(ann.token, { status: 'root' })
  let parent = root.id
  for (let n = 0; n < 220; n++) {
    const one = await post(ann.token, { status: `reply ${n} of many`, in_reply_to_id: n % 3 ? parent : root.id })
    if (n < 60) parent = one.id
  }
  const shown = new Set<string>()
  let page = await ann.by.get(at(`/home/statuses/${root.id}`))
  for (let n = 0; n < 10; n++) {
    for (const [, reply] of page.text.matchAll(/reply (\d+) of many/g)) shown.add(reply ?? '')
    if (!page.links.some((one) => one.text === 'More replies')) break
    page = await ann.by.follow('More replies')
  }
  expect(shown.size).toBe(220)
  for (const skip of ['9999', '99999', '-1', 'x', '1e3', '240'])
    expect([skip, (await ann.by.get(at(`/home/statuses/${root.id}?skip=${skip}`))).status]).toEqual([skip, 200])
})

test('lists past their end and with invalid cursors are shown empty', async () => {
  const ann = await signIn('pager')
  const found: string[] = []
  for (const path of [
    '/home',
    '/home/local',
    '/home/remote',
    '/home/bookmarks',
    '/home/favourites',
    '/home/notifications',
    '/home/tags/abc',
    `/home/accounts/${ann.id}`,
    '/home/search',
    '/home/profile',
    '/home/apps',
  ])
    for (const query of [
      'max_id=1',
      'max_id=0',
      'max_id=9999999999999999999',
      'max_id=-1',
      'max_id=x',
      'max_id[]=1',
      'max_id[a]=1',
      'q=%ED%A0%80',
      'q[]=a&q[b]=c',
      `q=${'x'.repeat(3_000)}`,
      'since=x',
    ]) {
      const { status } = await server.http(`${path}?${query}`, {
        headers: { cookie: ann.by.cookies.header(new URL(server.origin)) },
      })
      if (status >= 400 && !(path === '/home/search' && status < 500)) found.push(`${status} ${path}?${query}`)
    }
  expect(found).toEqual([])
})

test('numbers beyond 64 bits in paths and cursors never give a 5xx status', async () => {
  const ann = await signIn('numbers')
  const proof = (await formOn(ann.by)).get('authenticity_token') ?? ''
  const headers = { cookie: ann.by.cookies.header(new URL(server.origin)) }
  const big = '9999999999999999999'
  const found: string[] = []
  for (const path of [
    `/@numbers/${big}`,
    `/@numbers/${big}/embed`,
    `/collections/${big}`,
    `/auth/sessions?max_id=${big}`,
    `/settings/sessions?max_id=${big}`,
    `/settings/import/${big}`,
    `/settings/imports/${big}`,
    `/settings/export/archive/${big}`,
    `/settings/exports/archive/${big}`,
    `/settings/strikes/${big}`,
    `/disputes/strikes/${big}`,
    `/@numbers?max_id=${big}`,
    `/@numbers/media?max_id=${big}`,
    `/tags/x?max_id=${big}`,
    `/settings/severed_relationships/${big}`,
  ]) {
    const { status } = await server.http(path, { headers })
    if (status >= 500) found.push(`${status} ${path}`)
  }
  for (const path of [
    '/settings/sessions/end',
    `/settings/import/${big}/confirm`,
    `/settings/import/${big}/remove`,
    `/invites/${big}`,
    `/oauth/authorized_applications/${big}`,
    `/settings/second_factor/keys/${big}/remove`,
  ]) {
    const { status } = await sendPost(ann.by, path, { id: big, password: PASSWORD }, proof)
    if (status >= 500) found.push(`${status} POST ${path}`)
  }
  expect(found).toEqual([])
})
