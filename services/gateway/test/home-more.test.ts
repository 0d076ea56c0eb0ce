/** The pages below `/home` over plain HTTP: pictures, polls, quotes, notifications, search, profiles, lists and new posts. */
import { request } from 'node:http'
import { text as readText } from 'node:stream/consumers'
import { app as accounts } from '@murmuration/accounts'
import { applyRemoteInteraction } from '@murmuration/contracts/statuses'
import { sql } from '@murmuration/db'
import { app as media } from '@murmuration/media'
import { app as notifications } from '@murmuration/notifications'
import { app as statuses } from '@murmuration/statuses'
import type { Browser, Submission, Visit } from '@murmuration/testkit/browser/forms'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { app as gateway } from '../src/main.js'
import { federation, type Harness, signInBrowser, startHarness } from './harness.js'

let server: Harness
beforeAll(async () => {
  server = await startHarness({}, [gateway, accounts, statuses, media, notifications, federation])
})
afterAll(() => server.stop())

interface User {
  readonly by: Browser
  readonly token: string
  readonly id: string
}
interface Shown {
  id: string
  content: string
  media_attachments: { description: string | null; type: string }[]
  poll: { id: string; multiple: boolean; options: { title: string; votes_count: number }[] } | null
  quote: { quoted_status: { id: string } } | null
  in_reply_to_id: string | null
}

const at = (path: string): string => server.origin + path
const signIn = async (name: string): Promise<User> => {
  const token = await server.createAccount(name)
  const by = await signInBrowser(server, name)
  const { id } = (await server.http('/api/v1/accounts/verify_credentials', { token })).json<{ id: string }>()
  return { by, token, id }
}
const formTo = (page: Visit, path: string) => {
  const form = page.forms.find((one) => new URL(one.action).pathname === path)
  if (!form) throw new Error(`no form to ${path} on ${page.url}: ${page.forms.map((one) => one.action).join(' ')}`)
  return form
}
const compose = ({ by }: User, submission: Submission) => by.submit(formTo(by.page(), '/home/statuses'), submission)
const latest = async ({ token, id }: User): Promise<Shown | undefined> =>
  (await server.http(`/api/v1/accounts/${id}/statuses`, { token })).json<Shown[]>()[0]
const post = async ({ token }: User, json: object): Promise<Shown> =>
  (await server.http('/api/v1/statuses', { token, json })).json<Shown>()

/** Submits the form of the current page with files, as a browser does. */
const sendFiles = async ({ by }: User, fields: Record<string, string>, files: Record<string, Blob>) => {
  const form = formTo(by.page(), '/home/statuses')
  const body = new FormData()
  for (const { name, value, type } of form.fields)
    if (!['checkbox', 'file'].includes(type)) body.append(name, fields[name] ?? value)
  for (const { name } of form.fields.filter((one) => one.type === 'file'))
    body.append(name, files[name] ?? new Blob([], { type: 'application/octet-stream' }), files[name] ? 'a.png' : '')
  const headers = { cookie: by.cookies.header(new URL(server.origin)) }
  return server.http('/home/statuses', { method: 'POST', headers, body })
}
const png = async (background: string): Promise<Blob> =>
  new Blob([
    new Uint8Array(
      await sharp({ create: { width: 64, height: 48, channels: 3, background } })
        .png()
        .toBuffer(),
    ),
  ])

test('pictures are posted in the order of the form, each with its description', async () => {
  const painter = await signIn('painter')
  await painter.by.get(at('/home'))
  const answer = await sendFiles(
    painter,
    { status: 'two surfaces', 'media[0][description]': 'a red surface', 'media[2][description]': 'a blue surface' },
    { 'media[0][file]': await png('#c00'), 'media[2][file]': await png('#00c') },
  )
  expect([answer.status, answer.headers.get('location')], answer.text).toEqual([
    303,
    `/home#s-${(await latest(painter))?.id}`,
  ])
  const { media_attachments: shown } = (await latest(painter)) as Shown
  expect(shown.map(({ type, description }) => [type, description])).toEqual([
    ['image', 'a red surface'],
    ['image', 'a blue surface'],
  ])
  expect((await painter.by.get(at('/home'))).html).toContain('alt="a red surface"')
})

test('a picture that was uploaded with a refused post is kept for the next attempt', async () => {
  const user = await signIn('retrying')
  await user.by.get(at('/home'))
  const refused = await sendFiles(
    user,
    { status: 'x'.repeat(501), 'media[0][description]': 'kept' },
    { 'media[0][file]': await png('#0c0') },
  )
  expect(refused.status).toBe(422)
  const kept = /name="kept\[\]" value="(\d+)" checked/.exec(refused.text)?.[1]
  expect(refused.text).toContain('Uploaded picture 1: kept')
  await user.by.get(at('/home'))
  const form = formTo(user.by.page(), '/home/statuses')
  const field = { name: 'kept[]', type: 'hidden', value: String(kept), checked: true, required: false }
  const again = { ...form, fields: [...form.fields, { ...field, autocomplete: '', options: [], label: '' }] }
  await user.by.submit(again, { fields: { status: 'short enough' } })
  expect((await latest(user))?.media_attachments.map(({ description }) => description)).toEqual(['kept'])
})

test('a file that is not a picture is refused with a reason, and deleted from staging', async () => {
  const user = await signIn('textual')
  await user.by.get(at('/home'))
  const answer = await sendFiles(user, { status: 'a text file' }, { 'media[0][file]': new Blob(['just text']) })
  expect(answer.status).toBe(422)
  expect(answer.text).toContain('a text file')
  expect(await latest(user)).toBeUndefined()
})

test('a form with pictures that are too large is shown again with its text and the limit', async () => {
  const user = await signIn('photographer')
  await user.by.get(at('/home'))
  const large = new Blob([await png('#00c'), new Uint8Array(20_000_000)])
  const files = Object.fromEntries([0, 1, 2, 3].map((n) => [`media[${n}][file]`, large]))
  const refused = await sendFiles(user, { status: 'four views', 'media[3][description]': 'a lake' }, files)
  expect([refused.status, refused.text.includes('File size must be less than 16 MB')]).toEqual([422, true])
  for (const kept of ['four views</textarea>', 'value="a lake"']) expect(refused.text).toContain(kept)
  expect(await latest(user)).toBeUndefined()
})

test('a form that is too large to be read gets an error page that names the limit', async () => {
  const user = await signIn('filmer')
  const headers = {
    cookie: user.by.cookies.header(new URL(server.origin)) ?? '',
    'content-type': 'multipart/form-data; boundary=x',
    'content-length': 200_000_000,
  }
  const text = await new Promise<string>((resolve, reject) => {
    const sent = request(at('/home/statuses'), { method: 'POST', headers }, (res) => {
      expect(res.statusCode).toBe(413)
      readText(res).then(resolve, reject)
      res.on('end', () => sent.destroy())
    })
    sent.on('error', reject)
    sent.flushHeaders()
  })
  expect(text).toContain('File size must be less than 16 MB')
  expect(text).not.toContain('<form class="card compose"')
})

test('a poll is posted, and another account votes in it once', async () => {
  const [asker, voter] = [await signIn('pollster'), await signIn('voter')]
  await asker.by.get(at('/home'))
  const form = formTo(asker.by.page(), '/home/statuses')
  let n = 0
  const fields = form.fields.map((one) =>
    one.name === 'poll[options][]' ? { ...one, value: ['Tea', 'Coffee', '', ''][n++] ?? '' } : one,
  )
  await asker.by.submit({ ...form, fields }, { fields: { status: 'What do you drink?', 'poll[expires_in]': '3600' } })
  const { id, poll } = (await latest(asker)) as Shown
  expect(poll?.options.map(({ title }) => title)).toEqual(['Tea', 'Coffee'])
  const thread = await voter.by.get(at(`/home/statuses/${id}`))
  const page = await voter.by.submit(formTo(thread, `/home/polls/${poll?.id}`), { fields: { 'choices[]': '1' } })
  expect(page.url).toBe(at(`/home/statuses/${id}#s-${id}`))
  expect(page.text).toContain('100 %')
  const after = (await server.http(`/api/v1/polls/${poll?.id}`, { token: voter.token })).json<
    NonNullable<Shown['poll']>
  >()
  expect(after.options.map(({ votes_count: votes }) => votes)).toEqual([0, 1])
  expect(page.forms.some((one) => one.action.includes('/home/polls/'))).toBe(false)
})

test('a post is quoted from its menu', async () => {
  const user = await signIn('quoter')
  const { id } = await post(user, { status: 'worth a quote' })
  await user.by.get(at('/home'))
  const page = await user.by.follow('Quote')
  expect(page.text).toContain('worth a quote')
  await compose(user, { fields: { status: 'as I said' } })
  expect((await latest(user))?.quote?.quoted_status.id).toBe(id)
})

test('notifications are listed, counted in the navigation and marked as read', async () => {
  const [author, fan] = [await signIn('author'), await signIn('fan')]
  const { id } = await post(author, { status: 'please like this' })
  await server.http(`/api/v1/statuses/${id}/favourite`, { token: fan.token, method: 'POST' })
  await server.http(`/api/v1/accounts/${author.id}/follow`, { token: fan.token, method: 'POST' })
  await post(fan, { status: '@author well said', in_reply_to_id: id })
  await server.waitForIdle()
  const home = await author.by.get(at('/home'))
  expect(home.text).toContain('Notifications 3 unread')
  const page = await author.by.follow('Notifications')
  for (const text of ['fan favourited your post', 'fan followed you', 'fan mentioned you', 'well said'])
    expect(page.text).toContain(text)
  const second = await signIn('fan2')
  await server.http(`/api/v1/statuses/${id}/favourite`, { token: second.token, method: 'POST' })
  await server.http(`/api/v1/statuses/${id}/reblog`, { token: second.token, method: 'POST' })
  await server.http(`/api/v1/accounts/${author.id}/follow`, { token: second.token, method: 'POST' })
  await server.waitForIdle()
  const german = (await author.by.get(at('/home/notifications?lang=de'))).text
  for (const text of [
    'fan2 und 1 weitere Person haben deinen Beitrag favorisiert',
    'fan2 hat deinen Beitrag geteilt',
    'fan2 und 1 weitere Person folgen dir',
  ])
    expect(german).toContain(text)
  await author.by.get(at('/home/notifications'))
  const read = await author.by.submit(formTo(author.by.page(), '/home/notifications'), { button: 'Mark all as read' })
  expect(read.text).not.toContain('Mark all as read')
  expect(read.html).toContain('data-unread hidden')
})

test('emoji reactions are shown below a post and in notifications, custom emoji as images', async () => {
  const author = await signIn('liked')
  const fans = ['9001', '9002', '9003']
  await server.db('accounts').run(sql`insert into accounts (id, username, domain, uri, url, created_at)
    select n, 'fan' || n, 'far.example', 'https://far.example/' || n, 'https://far.example/@' || n, now()
    from unnest(${fans}::bigint[]) as n`)
  const { id, uri } = (await post(author, { status: 'a post for reactions' })) as Shown & { uri: string }
  const like = async (fan: string, name?: string) => {
    const reaction = name === undefined ? {} : { reaction: { name, emoji: null } }
    const activity = {
      what: 'favourite' as const,
      actor: fan,
      object: uri,
      uri: `https://far.example/likes/${fan}`,
      exact: true,
    }
    expect(await server.call(applyRemoteInteraction, { ...activity, ...reaction })).toEqual({ outcome: 'done' })
    await server.waitForIdle()
  }
  const notified = async () => (await author.by.get(at('/home/notifications'))).text
  await like('9001', '🎉')
  expect(await notified()).toContain('fan9001 reacted to your post with 🎉')
  await like('9002', '🦉')
  const picture = `${server.origin}/proxy/blob.png`
  await server.db('statuses').run(sql`update reactions set name = 'blob<3', domain = 'far.example', url = ${picture},
    static_url = ${`${picture}?still`} where account_id = 9002`)
  const image = `<img class="emoji" src="${picture}?still" alt=":blob&lt;3:"`
  expect((await author.by.get(at('/home/notifications'))).html).toContain(
    `<b>fan9002</b></a> and 1 more reacted to your post with 🎉 ${image}`,
  )
  await like('9003')
  expect(await notified()).toContain('fan9003 and 2 more favourited your post 🎉')
  for (const path of ['/home', `/home/statuses/${id}`, `/@liked/${id}`, `/@liked/${id}/embed`]) {
    const { html } = await author.by.get(at(path))
    const [list = ''] = /<ul class="reactions".*?<\/ul>/.exec(html) ?? []
    expect(list, path).toContain('<li>🎉 <span class="muted">1</span></li>')
    expect(list, path).toContain(image)
  }
  expect((await author.by.get(at(`/home/statuses/${(await post(author, { status: 'none' })).id}`))).html).not.toContain(
    'class="reactions"',
  )
})

test('a notification about a quote has the text without the line that links the quoted post', async () => {
  const [author, fan] = [await signIn('quoted'), await signIn('quotefan')]
  const { id } = await post(author, { status: 'worth a quote' })
  expect((await post(fan, { status: 'as they said', quoted_status_id: id })).content).toContain('RE: ')
  await server.waitForIdle()
  const page = await author.by.get(at('/home/notifications'))
  expect(page.text).toContain('as they said')
  expect(page.text).not.toContain('RE: ')
})

test('notifications without a post have a text in the language of the viewer', async () => {
  const [reader, curator] = [await signIn('reader'), await signIn('curator')]
  await server.http(`/api/v1/accounts/${reader.id}/follow`, { token: curator.token, method: 'POST' })
  await server.http(`/api/v1/accounts/${curator.id}/follow`, { token: reader.token, method: 'POST' })
  await server.http('/api/v1/accounts/update_credentials', {
    token: reader.token,
    method: 'PATCH',
    json: { discoverable: true },
  })
  const made = await server.http('/api/v1/collections', {
    token: curator.token,
    json: { name: 'Birds', account_ids: [reader.id] },
  })
  expect(made.status).toBe(200)
  await server.waitForIdle()
  await server.db('notifications').run(sql`insert into notifications
      (recipient_id, type, from_id, source, detail, created_at)
    values (${reader.id}, 'annual_report', ${reader.id}, 'annual-report:1', '{"year": 2025}', now())`)
  const texts = {
    en: ['curator added you to a collection', 'Your year in review is ready'],
    de: ['curator hat dich in eine Sammlung aufgenommen', 'Dein Jahresrückblick ist fertig'],
  }
  for (const [language, expected] of Object.entries(texts)) {
    const page = await reader.by.get(at(`/home/notifications?lang=${language}`))
    for (const text of expected) expect(page.text).toContain(text)
  }
})

test('an account is found by its handle, followed and unfollowed', async () => {
  const [seeker, found] = [await signIn('seeker'), await signIn('foundling')]
  await seeker.by.get(at('/home/search'))
  const search = (q: string) => seeker.by.submit(formTo(seeker.by.page(), '/home/search'), { fields: { q } })
  const page = await search('@foundling')
  const path = `/home/accounts/${found.id}`
  const followed = await seeker.by.submit(formTo(page, path), { button: 'Follow' })
  expect(followed.url).toBe(at('/home/search?q=%40foundling'))
  const relation = async () =>
    (await server.http(`/api/v1/accounts/relationships?id[]=${found.id}`, { token: seeker.token })).json<
      { following: boolean }[]
    >()[0]?.following
  expect(await relation()).toBe(true)
  const profile = await seeker.by.get(at(path))
  expect(profile.text).toContain('@foundling@')
  await seeker.by.submit(formTo(profile, path), { button: 'Unfollow' })
  expect(await relation()).toBe(false)
  expect((await search2(seeker, 'nothing-like-this')).text).toContain('Nothing was found')
})
const search2 = ({ by }: User, q: string) => by.get(at(`/home/search?q=${encodeURIComponent(q)}`))

test('a collection is found by its address, and long addresses are not cut', async () => {
  const [picker, seeker] = [await signIn('picker'), await signIn('collector')]
  const made = await server.http('/api/v1/collections', { token: picker.token, json: { name: 'Owls & <herons>' } })
  const { collection } = made.json<{ collection: { id: string } }>()
  const address = at(`/collections/${collection.id}`)
  const page = await search2(seeker, address)
  expect(page.html).toContain(`<a href="${address}" rel="noopener">Owls &amp; &lt;herons&gt;</a>`)
  expect(page.text).not.toContain('Nothing was found')
  const long = await search2(seeker, `${address}?${'x'.repeat(1_000)}`)
  expect(long.text).toContain('Owls & <herons>')
  expect(formTo(long, '/home/search').fields.find(({ name }) => name === 'q')?.value).toHaveLength(
    address.length + 1_001,
  )
})

test('a follow request is accepted on the profile of the requesting account', async () => {
  const [locked, asking] = [await signIn('locked'), await signIn('asking')]
  await server.http('/api/v1/accounts/update_credentials', {
    method: 'PATCH',
    token: locked.token,
    json: { locked: true },
  })
  await server.http(`/api/v1/accounts/${locked.id}/follow`, { token: asking.token, method: 'POST' })
  await server.waitForIdle()
  const page = await locked.by.get(at('/home/notifications'))
  expect(page.text).toContain('asking asks to follow you')
  const profile = await locked.by.follow('Review the request')
  await locked.by.submit(formTo(profile, `/home/accounts/${asking.id}`), { button: 'Accept' })
  const [relation] = (
    await server.http(`/api/v1/accounts/relationships?id[]=${asking.id}`, { token: locked.token })
  ).json<{ followed_by: boolean }[]>()
  expect(relation?.followed_by).toBe(true)
})

test('public timelines, hashtags, bookmarks and favourites each have a page', async () => {
  const user = await signIn('lister')
  const { id } = await post(user, { status: 'a post about #lists' })
  for (const what of ['favourite', 'bookmark'])
    await server.http(`/api/v1/statuses/${id}/${what}`, { token: user.token, method: 'POST' })
  for (const path of [
    '/home/local',
    '/home/bookmarks',
    '/home/favourites',
    '/home/tags/lists',
    `/home/accounts/${user.id}`,
  ])
    expect((await user.by.get(at(path))).text, path).toContain('a post about')
  expect((await user.by.get(at('/home/remote'))).text).toContain('No posts from other servers yet.')
  const tag = await user.by.get(at('/home/tags/lists'))
  expect((await user.by.submit(formTo(tag, '/home/tags/lists'), { button: 'Follow' })).text).toContain('Unfollow this')
  expect((await user.by.get(at('/home/apps'))).text).toContain('Elk')
})

test('the endpoint for new posts returns the posts after an id as escaped HTML', async () => {
  const [reader, writer] = [await signIn('watcher'), await signIn('writer')]
  await server.http(`/api/v1/accounts/${writer.id}/follow`, { token: reader.token, method: 'POST' })
  await server.waitForIdle()
  const first = await post(writer, { status: 'before' })
  await server.waitForIdle()
  const second = await post(writer, { status: 'after <img src=x onerror=1>' })
  const reply = await post(reader, { status: '@writer a reply', in_reply_to_id: first.id })
  await server.waitForIdle()
  const headers = { cookie: reader.by.cookies.header(new URL(server.origin)), accept: 'application/json' }
  const sendRequest = (path: string) => server.http(path, { headers })
  const answer = await sendRequest(`/home/new?since=${first.id}`)
  const { html, newest } = answer.json<{ html: string; newest: string; unread: number }>()
  expect(answer.headers.get('cache-control')).toBe('private, no-store')
  expect(html).toContain('after &lt;img')
  expect(html).not.toContain(`id="s-${first.id}"`)
  expect(newest).toBe(reply.id)
  expect((await sendRequest(`/home/new?since=${newest}`)).json()).toMatchObject({ html: '', newest })
  const thread = (await sendRequest(`/home/statuses/${first.id}/new?since=${first.id}`)).json<{ html: string }>()
  expect(thread.html).toContain(`id="s-${reply.id}"`)
  expect(thread.html).not.toContain(`id="s-${second.id}"`)
  expect((await server.http('/home/new?since=1', { headers: { accept: 'application/json' } })).status).toBe(401)
})

test('a reply names the author of its parent after the parent was deleted, without a link', async () => {
  const [reader, writer] = [await signIn('replier'), await signIn('deleter')]
  const parent = await post(writer, { status: 'a question' })
  const reply = await post(reader, { status: '@deleter yes, exactly', in_reply_to_id: parent.id })
  await server.http(`/api/v1/statuses/${parent.id}`, { token: writer.token, method: 'DELETE' })
  await server.waitForIdle()
  const page = await reader.by.get(at('/home'))
  expect(page.html).toContain(`id="s-${reply.id}"`)
  expect(page.text).toContain('In reply to @deleter')
  expect(page.html).not.toContain(`/home/statuses/${parent.id}"`)
})

test('a notification about a post that quotes another one begins with the text of the post', async () => {
  const [writer, fan] = [await signIn('citer'), await signIn('liker')]
  const quoted = await post(fan, { status: 'an old post', quote_approval_policy: 'public' })
  const { id } = await post(writer, { status: 'how true', quoted_status_id: quoted.id })
  await server.waitForIdle()
  await server.http(`/api/v1/statuses/${id}/favourite`, { token: fan.token, method: 'POST' })
  await server.waitForIdle()
  const page = await writer.by.get(at('/home/notifications'))
  expect(page.text).toContain('how true')
  expect(page.text).not.toContain('RE:')
})

test('a post that the account may not see gives 404', async () => {
  const [reader, writer] = [await signIn('outsider'), await signIn('insider')]
  const { id } = await post(writer, { status: 'for followers', visibility: 'private' })
  const paths = [`/home/statuses/${id}`, '/home/statuses/1', '/home/statuses/x', '/home/accounts/1', '/home/tags/-']
  for (const path of [...paths, `/home/compose?quote=${id}`])
    expect([path, (await reader.by.get(at(path))).status]).toEqual([path, 404])
})

test('a quoted post whose author the viewer blocks or mutes, or that a filter matches, is collapsed or hidden', async () => {
  const [reader, friend, rude] = [await signIn('gentle'), await signIn('friendly'), await signIn('rude')]
  await server.http(`/api/v1/accounts/${friend.id}/follow`, { token: reader.token, method: 'POST' })
  await server.waitForIdle()
  const { id } = await post(rude, { status: 'a coarse remark', quote_approval_policy: 'public' })
  await post(friend, { status: 'look at this', quoted_status_id: id })
  await server.waitForIdle()
  const shown = async (path = '/home') => {
    const { html } = await reader.by.get(at(path))
    expect(html).toContain('look at this')
    expect(html).not.toContain('RE: ')
    return /<(?:blockquote|p) class="quoted[^>]*>(.*)/s.exec(html)?.[1] ?? ''
  }
  const card = /^<a class="who".*a coarse remark/s
  expect(await shown()).toMatch(card)
  for (const [action, text] of [
    ['mute', 'muted'],
    ['block', 'blocked'],
  ]) {
    await server.http(`/api/v1/accounts/${rude.id}/${action}`, { token: reader.token, method: 'POST' })
    await server.waitForIdle()
    for (const path of ['/home', '/home/local', `/home/accounts/${friend.id}`])
      expect(await shown(path)).toMatch(
        new RegExp(`^<details><summary>Hidden because you have ${text} @rude@[^<]+</summary><a class="who"`),
      )
    expect((await reader.by.get(at('/home?lang=de'))).text).toContain('Ausgeblendet, weil du @rude@')
    await server.http(`/api/v1/accounts/${rude.id}/un${action}`, { token: reader.token, method: 'POST' })
  }
  const filter = await server.http('/api/v2/filters', {
    token: reader.token,
    json: { title: 'Courtesy', context: ['home'], filter_action: 'warn', keywords_attributes: [{ keyword: 'coarse' }] },
  })
  const change = (json: object) =>
    server.http(`/api/v2/filters/${filter.json<{ id: string }>().id}`, { token: reader.token, method: 'PUT', json })
  expect(await shown()).toMatch(/^<details><summary>Filtered: Courtesy<\/summary><a class="who"/)
  expect(await shown(`/home/accounts/${friend.id}`)).toMatch(card)
  await change({ filter_action: 'hide' })
  expect(await shown()).toMatch(/^Hidden because of one of your filters<\/p>/)
  expect(await shown()).not.toContain('a coarse remark')
  await change({ context: ['notifications'] })
  expect(await shown()).toMatch(card)
})

test('filters apply to the pages of their contexts, and not to posts of the viewer', async () => {
  const [reader, other] = [await signIn('filterer'), await signIn('talker')]
  await server.http(`/api/v1/accounts/${other.id}/follow`, { token: reader.token, method: 'POST' })
  await server.waitForIdle()
  const { id } = await post(reader, { status: 'my own riddle' })
  await post(other, { status: '@filterer a riddle answered', in_reply_to_id: id })
  await server.waitForIdle()
  const keywords_attributes = [{ keyword: 'riddle' }]
  const filter = await server.http('/api/v2/filters', {
    token: reader.token,
    json: { title: 'Riddles', context: ['public'], filter_action: 'hide', keywords_attributes },
  })
  const path = `/api/v2/filters/${filter.json<{ id: string }>().id}`
  const pages = { home: '/home', thread: `/home/statuses/${id}`, notifications: '/home/notifications' }
  for (const context of ['public', ...Object.keys(pages)]) {
    await server.http(path, { token: reader.token, method: 'PUT', json: { context: [context] } })
    for (const [name, page] of Object.entries(pages)) {
      const { text } = await reader.by.get(at(page))
      expect([context, name, text.includes('a riddle answered')]).toEqual([context, name, name !== context])
      expect(name === 'notifications' || text.includes('my own riddle'), name).toBe(true)
    }
  }
})

test('filters of a boost are those of the boosted post, and do not apply to a boosted post of the viewer', async () => {
  const [reader, booster] = [await signIn('puzzler'), await signIn('booster')]
  await server.http(`/api/v1/accounts/${booster.id}/follow`, { token: reader.token, method: 'POST' })
  await server.waitForIdle()
  const boost = async (id: string): Promise<string> =>
    (await server.http(`/api/v1/statuses/${id}/reblog`, { token: booster.token, method: 'POST' })).json<Shown>().id
  const own = await post(reader, { status: 'my own enigma' })
  const other = await post(await signIn('unfollowed'), { status: 'the enigma of others' })
  const [ofOwn, ofOther] = [await boost(own.id), await boost(other.id)]
  await server.waitForIdle()
  const addFilter = (filter_action: string, more: object) =>
    server.http('/api/v2/filters', {
      token: reader.token,
      json: { title: `Enigmas ${filter_action}`, context: ['home', 'account'], filter_action, ...more },
    })
  const warning = await addFilter('warn', { keywords_attributes: [{ keyword: 'enigma' }] })
  const path = `/home/accounts/${booster.id}`
  const shown = async (id: string) =>
    new RegExp(`<article[^>]* id="s-${id}".*?</article>`, 's').exec((await reader.by.get(at(path))).html)?.[0]
  expect(await shown(ofOwn)).toContain('my own enigma')
  expect(await shown(ofOwn)).not.toContain('Filtered:')
  expect(await shown(ofOther)).toContain('<summary>Filtered: Enigmas warn</summary>')
  const change = { token: reader.token, method: 'PUT', json: { filter_action: 'hide' } }
  await server.http(`/api/v2/filters/${warning.json<{ id: string }>().id}`, change)
  expect(await shown(ofOwn)).toContain('my own enigma')
  expect(await shown(ofOther)).toBeUndefined()
  const { json } = await addFilter('hide', {})
  const one = `/api/v2/filters/${json<{ id: string }>().id}/statuses`
  expect((await server.http(one, { token: reader.token, json: { status_id: ofOwn } })).status).toBe(200)
  expect(await shown(ofOwn)).toBeUndefined()
})

test('content warnings and media are shown as the account prefers', async () => {
  const reader = await signIn('preferring')
  await post(reader, { status: 'the ending', spoiler_text: 'a film' })
  const shown = async () => /<details( open)?><summary>a film/.exec((await reader.by.get(at('/home'))).html)?.[1]
  expect(await shown()).toBeUndefined()
  const page = await reader.by.get(at('/settings/preferences'))
  await reader.by.submit(formTo(page, '/settings/preferences'), { fields: { expand_spoilers: true } })
  expect(await shown()).toBe(' open')
})
