/** The pages below `/home` in a browser without JavaScript: timeline, new posts, threads and actions. */
import { randomInt } from 'node:crypto'
import { app as accounts } from '@murmuration/accounts'
import { sql } from '@murmuration/db'
import { app as media } from '@murmuration/media'
import { app as notifications } from '@murmuration/notifications'
import { app as statuses } from '@murmuration/statuses'
import { type Browser, openBrowser, type Submission, type Visit } from '@murmuration/testkit/browser/forms'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { app as gateway } from '../src/main.js'
import { federation, type Harness, PASSWORD, startHarness, windowStart } from './harness.js'

let server: Harness
beforeAll(async () => {
  server = await startHarness(
    { RATE_LIMITS: 'on', TRUSTED_PROXIES: '1', REDIS_TIMEOUT_MS: '5000', TEST_CLOCK_OFFSET_MS: windowStart() },
    [gateway, accounts, statuses, media, notifications, federation],
  )
})
afterAll(() => server.stop())

const at = (path: string): string => server.origin + path
/** A random IP address, because rate limit counters of earlier runs may still exist. */
const address = `10.${randomInt(256)}.${randomInt(256)}.1`
const browse = (): Browser =>
  openBrowser({ headers: { 'x-forwarded-for': address }, follows: (url) => url.origin === server.origin })

/** Creates an account. Returns a browser that is signed in to it, and a token. */
const signIn = async (name: string): Promise<{ by: Browser; token: string; landed: Visit }> => {
  const token = await server.createAccount(name)
  const by = browse()
  await by.get(at('/auth/sign_in'))
  const fields = { 'user[email]': `${name}@mail.example`, 'user[password]': PASSWORD }
  return { by, token, landed: await by.submit(0, { fields }) }
}
const formTo = (page: Visit, path: string) => {
  const form = page.forms.find((one) => new URL(one.action).pathname === path)
  if (!form) throw new Error(`no form to ${path} on ${page.url}: ${page.forms.map((one) => one.action).join(' ')}`)
  return form
}
const compose = (by: Browser, submission: Submission) => by.submit(formTo(by.page(), '/home/statuses'), submission)
const press = (by: Browser, id: string, button: string) =>
  by.submit(formTo(by.page(), `/home/statuses/${id}`), { button })
const latest = async (token: string) => {
  const me = (await server.http('/api/v1/accounts/verify_credentials', { token })).json<{ id: string }>()
  const answer = await server.http(`/api/v1/accounts/${me.id}/statuses`, { token })
  return answer.json<{ id: string; content: string; visibility: string; [name: string]: unknown }[]>()[0]
}
const post = async (token: string, json: object) =>
  (await server.http('/api/v1/statuses', { token, json })).json<{ id: string }>()

test('sign-in redirects to the home timeline, where the first post is created and shown', async () => {
  const { by, token, landed } = await signIn('ann')
  expect(new URL(landed.url).pathname).toBe('/home')
  expect(landed.status).toBe(200)
  expect(landed.headers['cache-control']).toBe('private, no-store')
  expect(landed.text).toContain('Posts of the people and hashtags that you follow appear here.')
  const page = await compose(by, { fields: { status: 'My <b>first</b> post' } })
  const status = await latest(token)
  expect(page.url).toBe(at(`/home#s-${status?.id}`))
  expect(page.text).toContain('Your post was published.')
  expect(page.text).toContain('My <b>first</b> post')
  expect(page.html).toContain(`id="s-${status?.id}"`)
  expect(status).toMatchObject({ visibility: 'public', language: 'en' })
})

test('an older page of the home timeline follows the first one', async () => {
  const { by, token } = await signIn('pag')
  for (let n = 1; n <= 22; n++) await post(token, { status: `number ${n} of many` })
  const first = await by.get(at('/home'))
  expect(first.text).toContain('number 22 of many')
  expect(first.text).not.toContain('number 2 of many')
  const second = await by.follow('Older posts')
  expect(second.text).toContain('number 2 of many')
  expect(second.text).not.toContain('number 3 of many')
})

test('a visitor is redirected to the sign-in page and back', async () => {
  const page = await server.http('/home?max_id=1')
  expect([page.status, page.headers.get('location')]).toEqual([303, '/auth/sign_in?next=%2Fhome%3Fmax_id%3D1'])
  const form = await server.http('/home/statuses/1', { method: 'POST', body: new URLSearchParams({ do: 'favourite' }) })
  expect(form.status).toBe(403)
})

test('a form without a CSRF token changes nothing', async () => {
  const { by, token } = await signIn('forged')
  const { id } = await post(token, { status: 'untouched' })
  const headers = { cookie: by.cookies.header(new URL(server.origin)) }
  const paths = [`/home/statuses/${id}`, '/home/polls/1']
  for (const path of paths) {
    const body = new URLSearchParams({ do: 'delete' })
    expect((await server.http(path, { method: 'POST', headers, body })).status, path).toBe(403)
  }
  const body = new FormData()
  body.set('status', 'forged')
  expect((await server.http('/home/statuses', { method: 'POST', headers, body })).status).toBe(403)
  expect((await latest(token))?.id).toBe(id)
})

test('an action redirects to its page below /home, and never to another path', async () => {
  const { by, token } = await signIn('redirected')
  const { id } = await post(token, { status: 'a target' })
  const page = await by.get(at('/home'))
  const proof =
    formTo(page, `/home/statuses/${id}`).fields.find((one) => one.name === 'authenticity_token')?.value ?? ''
  const headers = { cookie: by.cookies.header(new URL(server.origin)) }
  const wanted = async (back: string) => {
    const body = new URLSearchParams({ authenticity_token: proof, do: 'favourite', back, at: id })
    return (await server.http(`/home/statuses/${id}`, { method: 'POST', headers, body })).headers.get('location')
  }
  for (const back of ['https://evil.example/', '//evil.example', '/\\evil.example', '/settings', '/homes', ''])
    expect(await wanted(back), back).toBe(`/home#s-${id}`)
  expect(await wanted('/home?max_id=5')).toBe(`/home?max_id=5#s-${id}`)
})

test('favourite, boost and bookmark work and can be undone', async () => {
  const { by, token } = await signIn('reader')
  const { id } = await post(token, { status: 'worth it' })
  await by.get(at('/home'))
  for (const [name, button] of [
    ['favourited', 'Favourite'],
    ['reblogged', 'Boost'],
    ['bookmarked', 'Bookmark'],
  ] as const) {
    await press(by, id, button)
    expect((await server.http(`/api/v1/statuses/${id}`, { token })).json()[name], name).toBe(true)
    await press(by, id, button)
    expect((await server.http(`/api/v1/statuses/${id}`, { token })).json()[name], name).toBe(false)
  }
})

test('a post is deleted after a confirmation, and only by its author', async () => {
  const { by, token } = await signIn('remover')
  const { id } = await post(token, { status: 'not for long' })
  await by.get(at('/home'))
  const asked = await press(by, id, 'Delete')
  expect([asked.status, asked.text.includes('not for long')]).toEqual([200, true])
  expect(asked.links.find((one) => one.text === 'Cancel')?.href).toBe(at(`/home#s-${id}`))
  expect((await server.http(`/api/v1/statuses/${id}`, { token })).status).toBe(200)
  const { token: other } = await signIn('nearby')
  const { id: foreign } = await post(other, { status: 'by another account' })
  const proof = formTo(asked, `/home/statuses/${id}`).fields.find((one) => one.name === 'authenticity_token')?.value
  const headers = { cookie: by.cookies.header(new URL(server.origin)) }
  for (const sure of ['', '1']) {
    const body = new URLSearchParams({ authenticity_token: proof ?? '', do: 'delete', sure })
    expect((await server.http(`/home/statuses/${foreign}`, { method: 'POST', headers, body })).status).toBe(404)
  }
  const deleted = await press(by, id, 'Delete')
  expect([deleted.url, deleted.text.includes('The post was deleted.')]).toEqual([at('/home'), true])
  expect((await server.http(`/api/v1/statuses/${id}`, { token })).status).toBe(404)
})

test('a reply mentions the author, is not more visible than its parent, and is shown in the thread', async () => {
  const { token: other } = await signIn('asker')
  const { by, token } = await signIn('answerer')
  const { id } = await post(other, { status: '@answerer do you hear me?', visibility: 'direct', spoiler_text: 'quiet' })
  const thread = await by.get(at(`/home/statuses/${id}`))
  const form = formTo(thread, '/home/statuses')
  const value = (name: string) => form.fields.find((one) => one.name === name)?.value
  expect([value('status'), value('visibility'), value('spoiler_text')]).toEqual(['@asker ', 'direct', 'quiet'])
  const page = await compose(by, { fields: { status: '@asker loud and clear' } })
  const reply = await latest(token)
  expect(reply).toMatchObject({ in_reply_to_id: id, visibility: 'direct', spoiler_text: 'quiet' })
  expect(page.url).toBe(at(`/home/statuses/${id}#s-${reply?.id}`))
  expect(page.text).toContain('loud and clear')
})

test('content warning, visibility and language are stored with the post', async () => {
  const { by, token } = await signIn('careful')
  await by.get(at('/home'))
  const fields = { status: 'Das Ende', spoiler_text: 'a film', visibility: 'private', language: 'de' }
  await compose(by, { fields })
  expect(await latest(token)).toMatchObject({ spoiler_text: 'a film', visibility: 'private', language: 'de' })
})

test('a post that is refused is shown again with its text', async () => {
  const { by, token } = await signIn('wordy')
  await by.get(at('/home'))
  const page = await compose(by, { fields: { status: 'w'.repeat(501) } })
  expect(page.status).toBe(422)
  expect(page.alerts.join()).toContain('500')
  expect(formTo(page, '/home/statuses').fields.find((one) => one.name === 'status')?.value).toBe('w'.repeat(501))
  expect((await compose(by, { fields: { status: '' } })).status).toBe(422)
  expect(await latest(token)).toBeUndefined()
})

test('a form that is sent twice creates one post', async () => {
  const { by, token } = await signIn('twice')
  const form = formTo(await by.get(at('/home')), '/home/statuses')
  await by.submit(form, { fields: { status: 'only once' } })
  await by.submit(form, { fields: { status: 'only once' } })
  const id = (await latest(token))?.id
  const me = (await server.http('/api/v1/accounts/verify_credentials', { token })).json<{ statuses_count: number }>()
  expect([me.statuses_count, typeof id]).toEqual([1, 'string'])
})

test('a long thread is shown in pages', async () => {
  const { by, token } = await signIn('talker')
  const { id } = await post(token, { status: 'the beginning' })
  for (let n = 1; n <= 62; n++) await post(token, { status: `reply ${n}.`, in_reply_to_id: id })
  const first = await by.get(at(`/home/statuses/${id}`))
  expect(first.text).toContain('reply 60.')
  expect(first.text).not.toContain('reply 61.')
  const second = await by.follow('More replies')
  expect(second.text).toContain('reply 62.')
  expect(second.text).not.toContain('reply 60.')
})

test('actions count against the same rate limits as API requests', async () => {
  const { by, token } = await signIn('busy')
  const { id } = await post(token, { status: 'undone often' })
  const page = await by.get(at('/home'))
  const proof =
    formTo(page, `/home/statuses/${id}`).fields.find((one) => one.name === 'authenticity_token')?.value ?? ''
  const headers = { cookie: by.cookies.header(new URL(server.origin)) }
  const undo = async () => {
    const body = new URLSearchParams({ authenticity_token: proof, do: 'unreblog', back: '/home', at: id })
    return (await server.http(`/home/statuses/${id}`, { method: 'POST', headers, body })).status
  }
  const answers = new Set<number>()
  for (let n = 0; n < 30; n++) answers.add(await undo())
  expect([...answers]).toEqual([303])
  expect(await undo()).toBe(429)
  expect((await server.http(`/api/v1/statuses/${id}/unreblog`, { token, method: 'POST' })).status).toBe(429)
})

test('an account that may not act sees the reason, and its forms change nothing', async () => {
  const { by, token } = await signIn('barred')
  const { id } = await post(token, { status: 'from before' })
  await by.get(at('/home'))
  const form = formTo(by.page(), `/home/statuses/${id}`)
  const compose = formTo(by.page(), '/home/statuses')
  await server.db('accounts').run(sql`update users set disabled = true where email like 'barred%'`)
  for (const page of [await by.get(at('/home')), await by.submit(form), await by.submit(compose)]) {
    expect(page.status).toBe(403)
    expect(page.alerts.join()).toContain('Your account is disabled')
  }
})
