/** Forms with invalid values in every field, sent by a signed-in user and by a visitor, never give a 5xx status. */
import { app as accounts } from '@murmuration/accounts'
import { app as admin } from '@murmuration/admin'
import { setSetting } from '@murmuration/contracts/admin'
import { app as media } from '@murmuration/media'
import { app as notifications } from '@murmuration/notifications'
import { app as statuses } from '@murmuration/statuses'
import { type Browser, openBrowser } from '@murmuration/testkit/browser/forms'
import type { Form } from '@murmuration/testkit/browser/page'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { app as gateway } from '../src/main.js'
import { SECTIONS } from '../src/pages/core/settings-sections.js'
import { type Harness, PASSWORD, signInBrowser, startHarness } from './harness.js'

let harness: Harness
beforeAll(async () => {
  harness = await startHarness({}, [gateway, accounts, statuses, media, notifications, admin])
  await harness.call(setSetting, { name: 'registrations_mode', value: 'open' })
})
afterAll(() => harness.stop())

const at = (path: string) => `${harness.origin}${path}`
const browse = () => openBrowser({ follows: (url) => url.origin === harness.origin })
const signIn = async (name: string): Promise<Browser> => {
  await harness.createAccount(name)
  return signInBrowser(harness, name)
}
const post = async (by: Browser, path: string, body: URLSearchParams): Promise<number> =>
  (await harness.http(path, { method: 'POST', body, headers: { cookie: by.cookies.header(new URL(harness.origin)) } }))
    .status

type Pairs = [string, string][]
const NONSENSE = ['99999999999999999999', '-1', '\ud800\u202e"><b>%s']
const LONG = 'x'.repeat(12_000)

/** Variants of a form, each with one invalid field. */
const mistakesIn = ({ fields, buttons }: Form): Pairs[] => {
  const own = [...fields, ...buttons.filter((one) => one.name)].map(({ name, value }): [string, string] => [
    name,
    /password|current/.test(name) ? PASSWORD : value,
  ])
  const texts = fields.filter((one) => ['text', 'email', 'password', 'textarea'].includes(one.type))
  const put = (field: string, nonsense: string): Pairs =>
    own.map(([name, value]) => [name, name === field ? nonsense : value])
  return [...new Set(own.map(([name]) => name))]
    .filter((name) => name !== 'authenticity_token')
    .flatMap((field, i): Pairs[] => [
      put(field, NONSENSE[i % NONSENSE.length] ?? ''),
      put(field, 'a\0b'),
      ...(texts.some((one) => one.name === field) ? [put(field, LONG)] : []),
      own.map(([name, value]) => [name === field ? `${name}[][x]` : name, value]),
    ])
}

/** Submits all variants of the forms on a page; returns those with a 5xx status. */
const faults = async (by: Browser, path: string): Promise<string[]> => {
  const page = await by.get(at(path))
  expect(page.status, path).toBe(200)
  const clock = harness.host.running.find((one) => one.service === 'gateway')?.ctx.clock
  // Forms that are sent too quickly are refused as bots.
  clock?.moveTo(clock.offset() + 4_000)
  const found: string[] = []
  for (const form of page.forms.filter((one) => one.method === 'POST'))
    for (const pairs of mistakesIn(form)) {
      const body = new URLSearchParams(pairs)
      const status = await post(by, new URL(form.action).pathname, body)
      if (status >= 500) found.push(`${status} ${form.action} ${body}`.slice(0, 500))
    }
  return found
}

const PAGES = ['/home', ...SECTIONS.filter((one) => one.id !== 'providers' && one.id !== 'home').map((one) => one.path)]

test.each(PAGES)('D038 invalid fields in the forms of %s never give a 5xx status', async (path) => {
  expect(await faults(await signIn(path.replace(/\W/g, '')), path)).toEqual([])
})

test.each(['/auth/sign_in', '/auth/sign_up', '/auth/password/new', '/auth/confirmation/new'])(
  'D038 invalid fields in the forms of %s never give a 5xx status',
  async (path) => {
    expect(await faults(browse(), path)).toEqual([])
  },
)

test('D038 posts to paths with unknown ids give a 4xx status', async () => {
  const by = await signIn('nobody')
  const page = await by.get(at('/invites'))
  const proof = page.forms.flatMap((one) => one.fields).find((one) => one.name === 'authenticity_token')?.value ?? ''
  const paths = ['x', '9999999999999999999'].flatMap((id) => [
    `/invites/${id}`,
    `/oauth/authorized_applications/${id}`,
    `/settings/second_factor/keys/${id}/remove`,
    `/settings/import/${id}/confirm`,
    `/settings/import/${id}/remove`,
  ])
  const body = new URLSearchParams({ authenticity_token: proof, password: PASSWORD })
  const answers = await Promise.all(paths.map(async (path) => [path, await post(by, path, body)]))
  expect(answers.filter(([, status]) => Number(status) < 400 || Number(status) >= 500)).toEqual([])
})
